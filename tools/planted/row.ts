// Forms of the planted violations.

/** Row of the table of borders, importing file, then what it may and what it may not import. */
export type PlantedImports = [row: string, file: string, may: string[], mayNot: string[]]

/** Rule, file, its text, and whether the rule reports it. */
export type PlantedText = [rule: string, file: string, text: string, isReported: boolean]
