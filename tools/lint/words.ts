// Lint rule: refuses retired words in names, and vague words in comments.
import type { RuleTester } from 'oxlint/plugins-dev'

type Rule = Parameters<RuleTester['run']>[1]

interface Retired {
  /** Words of a camelCase or kebab-case name, in lower case. */
  readonly words: readonly string[]
  /** Folders in which they are retired. */
  readonly within: readonly string[]
  /** Folders and files in which they have another meaning. */
  readonly except?: readonly string[]
  readonly use: string
}

/** The words that were replaced (`docs/glossary.md`). */
export const retired: readonly Retired[] = [
  { words: ['happening', 'happenings'], within: ['server/', 'contract/'], use: 'notification event' },
  { words: ['told', 'telling', 'tellings'], within: ['server/'], use: 'recipient or notification' },
  { words: ['apart'], within: ['server/'], use: 'blocked' },
  {
    words: ['forget', 'anew', 'asker'],
    within: ['server/store/', 'server/services/', 'server/adapters/'],
    use: 'remove, reset, replace or person',
  },
  {
    words: ['ways', 'line', 'lines'],
    within: ['server/store/', 'server/services/'],
    // A line of the ledger.
    except: ['server/store/payments/', 'server/store/tables/ledger.ts', 'server/services/payments/'],
    use: 'channels or notification',
  },
  {
    words: ['letter', 'letters'],
    within: ['server/', 'e2e/'],
    // In these files the word means a character.
    except: ['server/modules/demo/', 'server/rules/skeleton.ts'],
    use: 'email',
  },
  {
    words: ['act', 'acts'],
    within: ['contract/mutations/', 'device/', 'sw/', 'src/domain/', 'src/features/shell/'],
    use: 'mutation',
  },
  { words: ['believe', 'sift'], within: ['device/', 'src/', 'sw/'], use: 'parseRow or parseRows' },
  { words: ['kept', 'held'], within: ['src/lib/', 'src/domain/'], use: 'persisted value or store' },
  { words: ['answers'], within: ['device/'], use: 'responses' },
  {
    words: ['door'],
    within: ['src/domain/', 'src/lib/', 'server/modules/realtime/'],
    use: 'port or upgrade',
  },
  { words: ['patience'], within: ['server/http/', 'src/domain/media/'], use: 'throttle or timeout' },
  {
    words: ['ears', 'door'],
    within: ['server/adapters/realtime/', 'src/domain/realtime/'],
    use: 'listener, handlers or sockets',
  },
  { words: ['early'], within: ['src/features/publish/', 'e2e/'], use: 'preupload' },
  {
    words: ['forget', 'recall', 'sight', 'told', 'standing'],
    within: ['src/'],
    use: 'evict, clear, read cached, visibility or status',
  },
  { words: ['letter', 'letters'], within: ['src/features/', 'src/domain/'], use: 'email' },
  { words: ['throttle'], within: ['src/lib/'], use: 'call limiter' },
  {
    words: ['hand', 'workroom', 'hire', 'order', 'orders'],
    within: ['src/domain/media/prepare/'],
    use: 'worker client or request',
  },
  {
    words: ['settle', 'desk', 'warm', 'ask'],
    within: ['sw/'],
    except: ['sw/queue/', 'sw/sim/'],
    use: 'close, fake desktop, prefetch or API call',
  },
  { words: ['wish', 'wishes', 'acting'], within: ['sw/sim/'], use: 'scenario or action' },
  {
    words: ['town', 'told', 'kept', 'keep', 'somebody'],
    within: ['e2e/', 'device/testing/'],
    use: 'the standard term',
  },
]

/** The words of a camelCase, PascalCase, CONSTANT_CASE or kebab-case name, in lower case. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .map((it) => it.toLowerCase())
}

/** The message about a name with a retired word; undefined for others. @param path the file, from the root */
export function retiredIn(path: string, name: string): string | undefined {
  const words = new Set(wordsOf(name))
  const row = retired.find(
    ({ within, except = [], words: all }) =>
      within.some((it) => path.startsWith(it)) &&
      !except.some((it) => path.startsWith(it)) &&
      all.some((it) => words.has(it)),
  )
  return row && `${name} has a retired word; use ${row.use} (docs/glossary.md)`
}

/** Words that hide the subject of a sentence. */
const vague = /\b(?:nobody|somebody|whoever)\b/i

/** The message about a comment or a title of a test with such a word; undefined for others. */
export function vagueIn(comment: string): string | undefined {
  const [word] = vague.exec(comment) ?? []
  return word && `name the subject in place of ${word} (CONTRIBUTING.md)`
}

/** Names that a declaration exports. */
function namesOf(declaration: unknown): string[] {
  const it = declaration as {
    id?: { name?: string } | null
    declarations?: { id: { name?: string } }[]
  } | null
  if (it?.declarations) return it.declarations.flatMap(({ id }) => (id.name === undefined ? [] : [id.name]))
  return it?.id?.name === undefined ? [] : [it.id.name]
}

interface Callee {
  readonly type: string
  readonly name?: string
  readonly object?: Callee
  readonly callee?: Callee
  readonly tag?: Callee
}

/** Whether a call declares a test or a group of tests: `test(…)`, `describe.each(…)(…)`. */
function declaresTest(callee: Callee | undefined): boolean {
  if (!callee) return false
  if (callee.type === 'Identifier') return ['describe', 'it', 'test'].includes(callee.name ?? '')
  return declaresTest(callee.object ?? callee.callee ?? callee.tag)
}

/** The text of a literal or a template; empty for other expressions. */
function literalText(it: unknown): string {
  const node = it as { value?: unknown; quasis?: { value: { raw: string } }[] } | undefined
  if (typeof node?.value === 'string') return node.value
  return node?.quasis?.map(({ value }) => value.raw).join(' ') ?? ''
}

/** @param pathOf the path of the linted file, from the root */
export const retiredWords = (pathOf: (context: { cwd: string; filename: string }) => string): Rule => ({
  create(context) {
    const path = pathOf(context)
    return {
      Program: (node) => {
        const message = retiredIn(path, path.split('/').at(-1) ?? '')
        if (message) context.report({ node, message })
        for (const comment of context.sourceCode.getAllComments()) {
          const sentence = vagueIn(comment.value)
          if (sentence) context.report({ node: comment, message: sentence })
        }
      },
      CallExpression: (node) => {
        if (!declaresTest(node.callee as Callee)) return
        const sentence = vagueIn(literalText(node.arguments[0]))
        if (sentence) context.report({ node, message: sentence })
      },
      ExportNamedDeclaration: (node) => {
        for (const name of namesOf(node.declaration)) {
          const message = retiredIn(path, name)
          if (message) context.report({ node, message })
        }
      },
    }
  },
})
