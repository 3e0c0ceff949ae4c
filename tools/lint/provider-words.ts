// Lint rule: words of one payment provider's interface stand in its adapter alone.
import type { RuleTester } from 'oxlint/plugins-dev'
import { wordsOf } from './words.ts'

type Rule = Parameters<RuleTester['run']>[1]

/** Names of fields of the link form and of its notices. */
const words: ReadonlySet<string> = new Set([
  'ac1',
  'acam',
  'acid',
  'acsf',
  'actp',
  'actx',
  'aid',
  'aofm',
  'cod',
  'gid',
  'god',
  'inm',
  'jb',
  'rst',
])

/** The code of the app. Tests, simulations and benchmarks play the provider's part. */
const within = ['contract/', 'device/', 'src/', 'sw/', 'server/'] as const
const except: readonly string[] = [
  'server/adapters/payments/',
  // The server of the first sandbox, which speaks as the link form does.
  'server/modules/payment-sandbox/form.ts',
  'server/modules/payment-sandbox/form-wire.ts',
  // Environment variables of the link form.
  'server/env/payments.ts',
  // Keys of stored JSON, and names in replies to pages of the version before.
  'server/store/payments/stored-refs.ts',
  'contract/payments/earlier-refs.ts',
  'server/testing/',
  'server/sim/',
  'sw/sim/',
]
const isTest = /\.(?:test|sim|deep)\.tsx?$/
/** Here a text may be the name of a stored column. */
const columns = 'server/store/tables/'

const isChecked = (path: string): boolean =>
  within.some((it) => path.startsWith(it)) && !except.some((it) => path.startsWith(it)) && !isTest.test(path)

/** The word of the provider in a name; undefined for others. */
export const providerWordIn = (name: string): string | undefined => wordsOf(name).find((it) => words.has(it))

/** The words of a text that stand alone in it. */
const alone = /(?<![\w-])[a-z][a-z0-9]{1,3}(?![\w-])/g

/** The word of the provider in a comment; undefined for others. */
export const providerWordOf = (comment: string): string | undefined =>
  [...comment.matchAll(alone)].map(([it]) => it).find((it) => words.has(it))

const message = (word: string) =>
  `${word} is a word of one payment provider; use chargeRef, recurringRef or another word of the port (docs/glossary.md)`

/** @param pathOf the path of the linted file, from the root */
export const providerWords = (pathOf: (context: { cwd: string; filename: string }) => string): Rule => ({
  create(context) {
    const path = pathOf(context)
    if (!isChecked(path)) return {}
    return {
      Program: () => {
        for (const comment of context.sourceCode.getAllComments()) {
          const word = providerWordOf(comment.value)
          if (word !== undefined) context.report({ node: comment, message: message(word) })
        }
      },
      Identifier: (node) => {
        const word = providerWordIn(node.name)
        if (word !== undefined) context.report({ node, message: message(word) })
      },
      Literal: (node) => {
        if (path.startsWith(columns) || typeof node.value !== 'string') return
        if (words.has(node.value)) context.report({ node, message: message(node.value) })
      },
    }
  },
})
