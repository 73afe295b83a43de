"""Every module of the package has a test file of its name, or is listed with the file that tests it."""

from __future__ import annotations

from conftest import ROOT

# The file that tests these modules, through the module that uses them or together with their neighbours.
THROUGH = {
    "test_analysis": ["porter"],
    "test_article": ["article_headings", "page_lines"],
    "test_audit": ["attainable", "audit_figure", "audit_text"],
    "test_contents": ["made", "seen_files"],
    "test_demo": ["benchmark", "formats", "topics", "world"],
    "test_download": ["package_catalogue", "package_fetching", "web_client"],
    "test_elasticsearch": ["server_loading", "server_state"],
    "test_elasticsearch_answers": ["search_server", "server_engine", "servers"],
    "test_embedded": ["index_building", "string_tables"],
    "test_files": ["errors", "limits", "tsv", "whole_folders"],
    "test_frames": ["framenet"],
    "test_guided_settings": ["__main__", "guided"],
    "test_guided_training": ["generation", "presumm", "systems", "training_log", "weights_files"],
    "test_hostile_packages": ["package_archives"],
    "test_index_safety": ["index_checking", "index_format", "verified"],
    "test_cli": ["quick_start", "score"],
    "test_copied_phrases": ["marked_page", "marks"],
    "test_crashes": ["job"],
    "test_column": ["further_cells"],
    "test_matrix_page": [
        *("answer", "matrix_document", "matrix_figure", "matrix_questions", "matrix_results", "selection"),
    ],
    "test_meta_evaluation": ["coefficients", "significance", "tables"],
    "test_metrics": ["base", "registry"],
    "test_models": [
        *("abstractive", "bart", "gsum", "guided_attention", "multitask", "rwenc", "rwgen", "tdsum", "tiny"),
    ],
    "test_moulin_rouge": ["frequent_words"],
    "test_given_worlds": ["given_answers", "given_choices", "given_curve"],
    "test_multiverse": [
        *("answers", "claims", "curves", "dimensions", "ranking", "readable", "replication", "stages"),
        "worlds",
    ],
    "test_namespace": ["extras", "folder_index", "score_table"],
    "test_nist": ["nist_tables"],
    "test_options": ["corpora", "evaluation", "grid", "inputs", "retrieval", "settings", "vectors"],
    "test_datasets": ["benchmarks", "dataset_download"],
    "test_own_benchmark": ["folder"],
    "test_pmc_oa": ["file_lists"],
    "test_records": ["runs"],
    "test_released": ["pickled"],
    "test_report": [
        *("crate", "drawings", "overview", "page", "run_times", "study_page"),
        *("summaries", "verdicts"),
    ],
    "test_table_claims": ["paper_claims"],
    "test_rouge": ["averages", "compiled", "counts", "measures", "overlaps", "preparation", "subsequences"],
    "test_score_files": ["score_formats"],
    "test_interfaces": ["hf_evaluate", "torchmetrics"],
    "test_s3": ["model", "training"],
    "test_scitldr": ["scitldr_informativeness"],
    "test_study": ["last_run", "study_claims", "study_results", "study_settings"],
    "test_summarizers": [
        *("baselines", "budget", "citation_context", "citation_lexrank", "communities", "divergence"),
        *("document", "facets", "interface", "kl", "lda", "lexrank", "lsa", "luhn", "mmr", "oracle"),
        *("sumbasic", "term_vectors"),
    ],
    "test_tac2014": ["release", "tac2014_folders"],
    "test_truth": ["drift", "known_truth", "scores", "truth_figure"],
    "test_word_distributions": ["words"],
    "test_word_weights": ["examples"],
    "test_word_vectors": ["learning"],
}
MODULES = {path.stem for path in (ROOT / "sera").rglob("*.py")} - {"__init__"}
FILES = list((ROOT / "tests").rglob("test_*.py"))
LISTED = [module for modules in THROUGH.values() for module in modules]


def test_a_module_has_a_test_file_or_is_listed():
    tested = {path.stem.removeprefix("test_") for path in FILES}
    assert sorted(MODULES - tested - set(LISTED)) == []
    assert sorted(set(LISTED) - (MODULES - tested)) == []  # gone, or has a file of its own
    assert len(LISTED) == len(set(LISTED))


def test_the_files_that_are_listed_exist():
    assert set(THROUGH) <= {path.stem for path in FILES}


def test_unit_tests_stand_in_the_rooms_of_the_package():
    rooms = {path.name for path in (ROOT / "sera").iterdir() if path.is_dir()}
    folders = {path.parent.name for path in FILES if "unit" in path.parts} - {"unit"}
    assert folders <= rooms


def test_no_two_test_files_have_one_name():
    names = [path.name for path in FILES]
    assert len(names) == len(set(names))
