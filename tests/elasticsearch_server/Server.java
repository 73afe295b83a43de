import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.elasticsearch.analysis.common.CommonAnalysisPlugin;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.common.util.concurrent.ThreadContext;
import org.elasticsearch.http.HttpServerTransport;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.BytesRestResponse;
import org.elasticsearch.rest.RestHandler;
import org.elasticsearch.rest.RestStatus;
import org.elasticsearch.transport.Netty4Plugin;

/**
 * A whole Elasticsearch server on loopback: {@code java -cp ... Server.java FOLDER PORT}.
 *
 * It prints the port it answers on (a free one where PORT is 0) and lives until its input ends, so it never
 * outlives whoever started it. The system property {@code authorization} holds the Authorization headers
 * that it lets in, with "|" between; without it everybody is let in.
 */
public class Server {
    public static void main(String[] arguments) throws Exception {
        Settings settings = Settings.builder()
            .put("path.home", arguments[0])
            .put("cluster.name", "sera-tests")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[1])
            .put("transport.port", "0")
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            .put("node.store.allow_mmap", false)
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
        try (Node node = new LocalNode(settings)) {
            node.start();
            HttpServerTransport http = node.injector().getInstance(HttpServerTransport.class);
            System.out.println("port " + http.boundAddress().publishAddress().getPort());
            while (System.in.read() >= 0) {
            }
        }
    }

    private static class LocalNode extends Node {
        LocalNode(Settings settings) {
            super(
                InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "sera-tests"),
                List.of(Netty4Plugin.class, CommonAnalysisPlugin.class, Guard.class),
                false);
        }
    }

    /** Answers 401 to requests without a right Authorization header. */
    public static class Guard extends Plugin implements ActionPlugin {
        @Override
        public UnaryOperator<RestHandler> getRestHandlerWrapper(ThreadContext context) {
            String authorization = System.getProperty("authorization");
            if (authorization == null) {
                return null;
            }
            List<String> allowed = Arrays.asList(authorization.split("\\|"));
            return handler -> (request, channel, client) -> {
                if (allowed.contains(request.header("Authorization"))) {
                    handler.handleRequest(request, channel, client);
                } else {
                    channel.sendResponse(new BytesRestResponse(RestStatus.UNAUTHORIZED,
                        channel.newErrorBuilder().startObject()
                            .startObject("error").field("type", "security_exception").endObject()
                            .field("status", 401).endObject()));
                }
            };
        }
    }
}
