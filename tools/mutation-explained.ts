// Reasons why a mutant that survives needs no test, read from `docs/mutation-explained.json`.
import { readFileSync } from 'node:fs'
import * as v from 'valibot'

/** By file. Lines are named by their text: numbers change with every edit above them. */
const schema = v.record(
  v.string(),
  v.array(
    v.strictObject({
      /** The source line the mutant begins in, without its indent. */
      line: v.string(),
      /** Replacements as the page shows them; without it, all of the line. */
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

/** @throws when the file is not in its form */
export function readExplanations(file: string): Explanations {
  return v.parse(schema, JSON.parse(readFileSync(file, 'utf8')))
}

/** A replacement on one line. */
export const shownText = (replacement = ''): string => replacement.replaceAll(/\s+/g, ' ')

/**
 * The reason why a mutant may survive; undefined for one without, and for one that a test noticed.
 * @param source the file as it was when the mutant was judged
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
