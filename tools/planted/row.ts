// Forms of the planted violations.

/** A row of the table of borders, a file, its allowed and its refused imports. */
export type PlantedImports = [row: string, file: string, may: string[], mayNot: string[]]

/** A rule, a file, its text, and whether the rule reports it. */
export type PlantedText = [rule: string, file: string, text: string, isReported: boolean]
