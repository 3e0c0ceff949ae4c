// Lint rule: a file begins with one short sentence about its purpose.
import type { RuleTester } from 'oxlint/plugins-dev'

type Rule = Parameters<RuleTester['run']>[1]

/** Words that the first sentence of a file may have. */
const MOST_WORDS = 15

/** The first sentence of the comment at the beginning of a text. */
export function firstSentence(text: string): string {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('//'))
  const comment = lines
    .slice(0, end === -1 ? lines.length : end)
    .map((line) => line.replace(/^\/\/+/, '').trim())
    .join(' ')
  return comment.split(/(?<=[.?!]) /, 1)[0] ?? ''
}

/** The message about the first lines of a file; undefined if they say its purpose. */
export function purposeProblem(text: string): string | undefined {
  const [first] = text.split('\n', 1)
  if (!first || first.startsWith('#!')) return undefined
  if (!/^\/\/\/? ?\S/.test(first)) return 'the first line must be a comment about the purpose of the file'
  const words = firstSentence(text).split(/\s+/).length
  if (words <= MOST_WORDS) return undefined
  return `the first sentence has ${words} words; ${MOST_WORDS} are enough to say what this file is for`
}

export const purpose: Rule = {
  create(context) {
    return {
      Program: (node) => {
        const message = purposeProblem(context.sourceCode.text)
        if (message) context.report({ node, message })
      },
    }
  },
}
