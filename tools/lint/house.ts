// The project's lint rules: imports, clock, expressions, names, first lines, lengths, units of work.
import { relative, sep } from 'node:path'
import type { RuleTester } from 'oxlint/plugins-dev'
import { forbiddenBy } from './borders.ts'
import { functionLength } from './function-length.ts'
import { providerWords } from './provider-words.ts'
import { purpose } from './purpose.ts'
import { linearRegexp, noBuiltRegexp } from './regexps.ts'
import { storyRules } from './stories.ts'
import { noEmptyDefaultInTests, noSleepInTests, oneDeadlineInStories } from './tests.ts'
import { noRemovalInCatch, unitOfWork } from './unit-of-work.ts'
import { retiredWords } from './words.ts'

type Rule = Parameters<RuleTester['run']>[1]

const pathOf = (context: { cwd: string; filename: string }): string =>
  relative(context.cwd, context.filename).split(sep).join('/')

// The built-in rule `no-restricted-imports` silently ignores patterns with a look-ahead, and no built-in rule reads
// `import('…')` in a type.
const imports: Rule = {
  create(context) {
    const check = (source: { type: string } | null): void => {
      if (source?.type !== 'Literal' || !('value' in source) || typeof source.value !== 'string') return
      const row = forbiddenBy(pathOf(context), source.value)
      if (row) context.report({ node: source as never, message: `${row} may not import ${source.value}` })
    }
    return {
      ImportDeclaration: (it) => check(it.source),
      ExportNamedDeclaration: (it) => check(it.source),
      ExportAllDeclaration: (it) => check(it.source),
      ImportExpression: (it) => check(it.source),
      TSImportType: (it) => check(it.source),
    }
  },
}

const extensions: Rule = {
  create(context) {
    const check = (source: { type: string } | null): void => {
      if (source?.type !== 'Literal' || !('value' in source) || typeof source.value !== 'string') return
      if (/^[.#]/.test(source.value) && !/\.[a-z0-9]+(\?[a-z]+)?$/.test(source.value))
        context.report({ node: source as never, message: `${source.value} lacks its file extension` })
    }
    return {
      ImportDeclaration: (it) => check(it.source),
      ExportNamedDeclaration: (it) => check(it.source),
      ExportAllDeclaration: (it) => check(it.source),
      ImportExpression: (it) => check(it.source),
    }
  },
}

const isDate = (it: { type: string }): boolean => 'name' in it && it.name === 'Date'

const noClock: Rule = {
  create(context) {
    const report = (node: unknown): void =>
      context.report({
        node: node as never,
        message: 'rules take the time as a parameter, in ms, and do not read a clock',
      })
    return {
      NewExpression: (it) => {
        if (isDate(it.callee) && it.arguments.length === 0) report(it)
      },
      CallExpression: (it) => {
        if (isDate(it.callee)) report(it)
      },
    }
  },
}

export default {
  meta: { name: 'house' },
  rules: {
    imports,
    extensions,
    'no-clock': noClock,
    purpose,
    'linear-regexp': linearRegexp,
    'no-built-regexp': noBuiltRegexp,
    'retired-words': retiredWords(pathOf),
    'provider-words': providerWords(pathOf),
    'function-length': functionLength(pathOf),
    'unit-of-work': unitOfWork(pathOf),
    'no-removal-in-catch': noRemovalInCatch(pathOf),
    'no-sleep-in-tests': noSleepInTests,
    'no-empty-default-in-tests': noEmptyDefaultInTests,
    'one-deadline-in-stories': oneDeadlineInStories,
    ...storyRules,
  },
}
