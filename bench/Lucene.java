import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.QueryBuilder;

/** Lucene's side of the benchmark; prints processor seconds, and the rankings of the queries into a file. */
public class Lucene {
    private static final float MU = 2000;

    public static void main(String[] arguments) throws Exception {
        Path input = Path.of(arguments[1]);
        Path folder = Path.of(arguments[2]);
        int count = Integer.parseInt(arguments[3]); // of documents, or of hits
        if (arguments[0].equals("build")) {
            build(input, folder, count);
        } else {
            search(input, folder, count, Path.of(arguments[4]));
        }
    }

    private static void build(Path documents, Path folder, int count) throws Exception {
        long begin = time();
        IndexWriterConfig settings = new IndexWriterConfig(new EnglishAnalyzer());
        settings.setSimilarity(new LMDirichletSimilarity(MU));
        settings.setRAMBufferSizeMB(256);
        settings.setMergeScheduler(new SerialMergeScheduler()); // on the one core there is
        try (Directory directory = new MMapDirectory(folder);
                IndexWriter writer = new IndexWriter(directory, settings);
                BufferedReader reader = Files.newBufferedReader(documents)) {
            for (int number = 0; number < count; number++) {
                String line = reader.readLine();
                int tab = line.indexOf('\t');
                Document document = new Document();
                document.add(new StringField("id", line.substring(0, tab), Field.Store.YES));
                document.add(new TextField("text", line.substring(tab + 1), Field.Store.NO));
                writer.addDocument(document);
            }
        }
        report("build", begin);
    }

    private static void search(Path queries, Path folder, int k, Path rankings) throws Exception {
        BooleanQuery.setMaxClauseCount(1 << 16);
        List<String> texts = Files.readAllLines(queries);
        try (Analyzer analyzer = new EnglishAnalyzer();
                DirectoryReader reader = DirectoryReader.open(new MMapDirectory(folder))) {
            IndexSearcher searcher = new IndexSearcher(reader);
            searcher.setSimilarity(new LMDirichletSimilarity(MU));
            QueryBuilder builder = new QueryBuilder(analyzer);
            for (String text : texts.subList(0, Math.min(20, texts.size()))) { // warms up the compiler
                searcher.search(builder.createBooleanQuery("text", text), k);
            }
            StringBuilder found = new StringBuilder();
            long begin = time();
            for (String text : texts) {
                for (ScoreDoc hit : searcher.search(builder.createBooleanQuery("text", text), k).scoreDocs) {
                    found.append(searcher.doc(hit.doc).get("id")).append(' ').append(hit.score).append('\t');
                }
                found.append('\n');
            }
            report("search", begin);
            Files.writeString(rankings, found);
        }
    }

    private static long time() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static void report(String step, long begin) throws Exception {
        double seconds = (time() - begin) / 1e9;
        long peak = 0; // of resident memory that is not a mapped file; Linux reports only the present one
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("RssAnon:")) {
                peak = 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        System.out.printf("{\"step\": \"%s\", \"seconds\": %.3f, \"memory\": %d}%n", step, seconds, peak);
    }
}
