// Reads the reasons for surviving mutants from `docs/mutation-explained.json`.
import { readFileSync } from 'node:fs'
import * as v from 'valibot'

/** Reasons by file. Lines are identified by text, since line numbers change with edits. */
const schema = v.record(
  v.string(),
  v.array(
    v.strictObject({
      /** The first source line of the mutant, without its indent. */
      line: v.string(),
      /** Replacements as on the page; without them, all mutants of the line. */
      to: v.optional(v.array(v.string())),
      why: v.pipe(v.string(), v.minLength(10)),
    }),
  ),
)

export type Explanations = v.InferOutput<typeof schema>

export interface Survivor {
  readonly status: string
  readonly replacement?: string
  readonly location: { readonly start: { readonly line: number } }
}

/** Reads the file. @throws when its form is wrong */
export function readExplanations(file: string): Explanations {
  return v.parse(schema, JSON.parse(readFileSync(file, 'utf8')))
}

/** A replacement, joined to one line. */
export const shownText = (replacement = ''): string => replacement.replaceAll(/\s+/g, ' ')

/**
 * The reason why a mutant may survive; undefined without one, and for a killed mutant.
 * @param source the file as it was when the mutant was tested
 */
export function explainedBy(
  explanations: Explanations,
  file: string,
  source: string,
  { status, replacement, location }: Survivor,
): string | undefined {
  if (status !== 'Survived' && status !== 'NoCoverage') return undefined
  const line = source.split('\n')[location.start.line - 1]?.trim()
  const text = shownText(replacement)
  return explanations[file]?.find((it) => it.line === line && (it.to?.includes(text) ?? true))?.why
}
