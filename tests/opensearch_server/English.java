package org.opensearch.analysis.common; // for the class of its analyzer, which is not public

import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.index.analysis.AnalyzerProvider;
import org.opensearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.opensearch.plugins.AnalysisPlugin;
import org.opensearch.plugins.Plugin;

/** OpenSearch's own analyzer `english` without its others, of which some need languages that a small Java lacks. */
public class English extends Plugin implements AnalysisPlugin {
    @Override
    public Map<String, AnalysisProvider<AnalyzerProvider<? extends Analyzer>>> getAnalyzers() {
        return Map.of("english", EnglishAnalyzerProvider::new);
    }
}
