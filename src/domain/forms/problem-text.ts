// The sentence for a text of several lines that breaks a rule of the contract.
import { asLines, textProblem } from '#contract/text/text-rule.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'

/**
 * @param max grapheme clusters
 * @returns undefined for a valid text
 */
export function textSentence(text: string, max: number): string | undefined {
  const problem = textProblem(asLines(text), { max, shape: 'lines' })
  return problem && fieldSentence(problem, max)
}
