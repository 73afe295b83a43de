"""A short invented article."""

from sera.io.records import Section, Source

SECTIONS = (
    (
        "Abstract",
        "Dorsin kinase controls the growth of yeast colonies under salt stress.",
        "We show that dorsin binds the membrane protein velactin.",
        "Loss of velactin makes colonies grow slowly in salt.",
        "These results suggest that dorsin is a target for antifungal drugs.",
    ),
    (
        "Introduction",
        "Salt stress slows the growth of most yeast species.",
        "How cells sense salt remains unclear.",
        "Membrane proteins such as velactin change their shape in salt.",
        "We asked whether dorsin kinase reads the shape of velactin.",
    ),
    (
        "Results",
        "Colonies without dorsin stopped growing at high salt.",
        "Growth of the colonies returned when we added dorsin kinase again.",
        "Dorsin and velactin were found together at the membrane in salt.",
        "A dorsin mutant that cannot bind velactin did not restore growth in salt.",
        "Velactin without its tail did not bind dorsin kinase.",
        "Colonies of both mutants were small and pale.",
    ),
    (
        "Discussion",
        "Dorsin kinase links the sensing of salt to the growth of colonies.",
        "Other membrane proteins may use kinases in the same way.",
        "A drug against dorsin would slow the growth of yeast in salty wounds.",
    ),
    (
        "Methods",
        "Yeast strains were grown at thirty degrees in standard medium.",
        "Salt was added to the medium after four hours.",
        "Colony size was measured with a ruler and with a camera.",
        "Proteins were purified as described.",
    ),
)
SOURCE = Source(
    "T1", "article", "Dorsin senses salt", tuple(Section(title, tuple(own)) for title, *own in SECTIONS)
)
