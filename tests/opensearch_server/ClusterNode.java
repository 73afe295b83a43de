import org.codelibs.opensearch.runner.OpenSearchRunner;

/**
 * An OpenSearch server on loopback: {@code java -cp ... ClusterNode FOLDER SETTING=VALUE...}.
 *
 * It lives until its input ends, so it never outlives whoever started it.
 */
public class ClusterNode {
    public static void main(String[] arguments) throws Exception {
        OpenSearchRunner runner = new OpenSearchRunner();
        runner.onBuild((number, settings) -> {
            for (int place = 1; place < arguments.length; place++) {
                String[] pair = arguments[place].split("=", 2);
                settings.put(pair[0], pair[1]);
            }
        });
        // the names in version 2 and in version 3; the runner passes over a name that is not there
        runner.build("-basePath", arguments[0], "-numOfNode", "1", "-moduleTypes",
            "org.opensearch.analysis.common.English,org.opensearch.transport.Netty4Plugin,"
                + "org.opensearch.transport.Netty4ModulePlugin");
        while (System.in.read() >= 0) {
        }
        System.exit(0);
    }
}
