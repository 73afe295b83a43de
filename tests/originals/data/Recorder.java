import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TotalHitCountCollector;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.QueryBuilder;
import org.apache.lucene.util.SmallFloat;

/** Writes what Lucene makes of documents and queries: Recorder DOCUMENTS QUERIES FOLDER LANGUAGE; a line is an id and a text in base64. */
public class Recorder {
    private static final int TERM_STEP = 5; // every fifth term is recorded

    private record Text(String id, String text) {}

    public static void main(String[] arguments) throws Exception {
        List<Text> documents = read(Path.of(arguments[0]));
        List<Text> queries = read(Path.of(arguments[1]));
        Path folder = Path.of(arguments[2]);
        BooleanQuery.setMaxClauseCount(1 << 16);
        if (arguments[3].equals("german")) {
            record("german", new GermanAnalyzer(), documents, queries, folder);
        } else {
            record("standard", new StandardAnalyzer(CharArraySet.EMPTY_SET), documents, queries, folder);
            record("english", new EnglishAnalyzer(), documents, queries, folder);
        }
        try (PrintWriter out = new PrintWriter(folder.resolve("length_norm_table.tsv").toFile(), "UTF-8")) {
            out.print("byte\tdecoded_length\n");
            for (int number = 0; number < 256; number++) {
                out.print(number + "\t" + SmallFloat.byte4ToInt((byte) number) + "\n");
            }
        }
    }

    private static List<Text> read(Path path) throws Exception {
        List<Text> texts = new ArrayList<>();
        for (String line : Files.readAllLines(path)) {
            String[] cells = line.split("\t", -1);
            texts.add(new Text(cells[0], new String(Base64.getDecoder().decode(cells[1]), "UTF-8")));
        }
        return texts;
    }

    private static List<String> tokens(Analyzer analyzer, String text) throws Exception {
        List<String> tokens = new ArrayList<>();
        try (TokenStream stream = analyzer.tokenStream("text", text)) {
            CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
            stream.reset();
            while (stream.incrementToken()) {
                tokens.add(term.toString());
            }
            stream.end();
        }
        return tokens;
    }

    private static void record(
            String name, Analyzer analyzer, List<Text> documents, List<Text> queries, Path folder) throws Exception {
        ByteBuffersDirectory directory = new ByteBuffersDirectory();
        IndexWriterConfig settings = new IndexWriterConfig(analyzer);
        try (IndexWriter writer = new IndexWriter(directory, settings)) {
            for (Text text : documents) {
                Document document = new Document();
                document.add(new StringField("id", text.id(), Field.Store.YES));
                document.add(new TextField("text", text.text(), Field.Store.NO));
                writer.addDocument(document);
            }
            writer.forceMerge(1);
        }
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            LeafReader leaf = reader.leaves().get(0).reader();
            statistics(name, leaf, folder);
            try (PrintWriter out = new PrintWriter(folder.resolve("tokens_" + name + ".tsv").toFile(), "UTF-8")) {
                for (Text text : queries) {
                    out.print(text.id() + "\tquery\t" + String.join(" ", tokens(analyzer, text.text())) + "\n");
                }
                NumericDocValues norms = leaf.getNormValues("text");
                for (int number = 0; number < documents.size(); number++) {
                    boolean any = norms.advanceExact(number);
                    int norm = any ? (int) norms.longValue() & 255 : 0;
                    Text text = documents.get(number);
                    out.print(text.id() + "\t" + norm + "\t" + String.join(" ", tokens(analyzer, text.text())) + "\n");
                }
            }
            List<Text> made = queries.stream().filter(text -> text.id().startsWith("made-")).toList();
            for (int mu : new int[] {500, 1000, 2000}) {
                rank("rankings", name, mu, 20, reader, analyzer, queries, folder);
            }
            rank("deep_rankings", name, 2000, 1000, reader, analyzer, made, folder);
            hits(name, reader, analyzer, queries, folder);
        }
    }

    private static void rank(String kind, String name, int mu, int k, DirectoryReader reader, Analyzer analyzer,
            List<Text> queries, Path folder) throws Exception {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setSimilarity(new LMDirichletSimilarity(mu));
        Path path = folder.resolve(kind + "_" + name + "_mu" + mu + ".tsv");
        try (PrintWriter out = new PrintWriter(path.toFile(), "UTF-8")) {
            out.print("query\trank\tdocument\tscore\n");
            for (Text text : queries) {
                Query query = new QueryBuilder(analyzer).createBooleanQuery("text", text.text());
                int rank = 0;
                for (ScoreDoc hit : query == null ? new ScoreDoc[0] : searcher.search(query, k).scoreDocs) {
                    String id = searcher.doc(hit.doc).get("id");
                    out.print(text.id() + "\t" + ++rank + "\t" + id + "\t" + hit.score + "\n");
                }
            }
        }
    }

    private static void hits(
            String name, DirectoryReader reader, Analyzer analyzer, List<Text> queries, Path folder) throws Exception {
        try (PrintWriter out = new PrintWriter(folder.resolve("query_hits_" + name + ".tsv").toFile(), "UTF-8")) {
            for (Text text : queries) {
                Query query = new QueryBuilder(analyzer).createBooleanQuery("text", text.text());
                TotalHitCountCollector counter = new TotalHitCountCollector();
                if (query != null) {
                    new IndexSearcher(reader).search(query, counter);
                }
                int tokens = tokens(analyzer, text.text()).size();
                out.print(text.id() + "\t" + tokens + "\t" + counter.getTotalHits() + "\n");
            }
        }
    }

    private static void statistics(String name, LeafReader leaf, Path folder) throws Exception {
        Terms terms = leaf.terms("text");
        try (PrintWriter out = new PrintWriter(folder.resolve("collection_stats_" + name + ".json").toFile(), "UTF-8")) {
            out.printf("{\"max_doc\": %d, \"sum_total_term_freq\": %d, \"unique_terms\": %d}\n",
                    leaf.maxDoc(), terms.getSumTotalTermFreq(), terms.size());
        }
        try (PrintWriter out = new PrintWriter(folder.resolve("terms_" + name + ".tsv").toFile(), "UTF-8")) {
            out.print("term\tdf\tttf\n");
            TermsEnum each = terms.iterator();
            for (int number = 0; each.next() != null; number++) {
                if (number % TERM_STEP == 0) {
                    out.print(each.term().utf8ToString() + "\t" + each.docFreq() + "\t" + each.totalTermFreq() + "\n");
                }
            }
        }
    }
}
