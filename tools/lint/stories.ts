// Lint rules of browser stories: each refuses one kind of race.
import type { RuleTester } from 'oxlint/plugins-dev'

type Rule = Parameters<RuleTester['run']>[1]
type Context = Parameters<NonNullable<Rule['create']>>[0]

/** The fields of a syntax tree node that the rules read. */
interface Node {
  readonly type: string
  readonly range: readonly [number, number]
  readonly parent?: Node | null
  readonly [key: string]: unknown
}

const isNode = (it: unknown): it is Node =>
  typeof it === 'object' && it !== null && typeof (it as { type?: unknown }).type === 'string'

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** The last name of `a`, `b.a` or `a()`; empty for others. */
function nameOf(it: unknown): string {
  if (!isNode(it)) return ''
  if (it.type === 'Identifier') return String(it['name'])
  if (it.type === 'MemberExpression') return nameOf(it['property'])
  return it.type === 'CallExpression' ? nameOf(it['callee']) : ''
}

const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([key, value]) =>
    key === 'parent' ? [] : (Array.isArray(value) ? value : [value]).filter(isNode),
  )

/** The nodes of an expression without those of functions in it. @param ends nodes that are left out with all in them */
function evaluatedIn(node: Node, ends: (it: Node) => boolean = () => false): Node[] {
  if (functions.has(node.type) || ends(node)) return []
  return [node, ...childrenOf(node).flatMap((it) => evaluatedIn(it, ends))]
}

const callOf = (it: Node): Node | undefined => {
  const call = it['argument']
  return isNode(call) && call.type === 'CallExpression' ? call : undefined
}

/** Whether the statement of a node follows a comment "Settled: …", which says why its value is final. */
function isSettled(context: Context, node: Node): boolean {
  let statement = node
  while (statement.parent && !/Statement$|Declaration$/.test(statement.type)) statement = statement.parent
  const before = context.sourceCode.getCommentsBefore(statement as never)
  return before.some((it) => it.value.trimStart().startsWith('Settled:'))
}

/** Calls whose result is the reply to a request of the story itself, which no later event changes. */
const replies = new Set(['call', 'perform', 'json', 'text', 'status', 'headerValue', 'inEachRound'])
/** Readings of a page at one moment. */
const readings = new Set([
  'allInnerTexts',
  'allTextContents',
  'boundingBox',
  'count',
  'getAttribute',
  'innerText',
  'inputValue',
  'isChecked',
  'isDisabled',
  'isEnabled',
  'isVisible',
  'textContent',
])
/** Whether an expression has one value for ever: a reply, or a promise that the story has kept. */
const isFinal = (it: Node): boolean =>
  (it.type === 'CallExpression' && replies.has(nameOf(it))) ||
  (it.type === 'AwaitExpression' &&
    ((it['argument'] as Node).type === 'Identifier' || replies.has(nameOf(it['argument']))))

/** Calls that repeat a function until it succeeds. */
const repeating = new Set(['poll', 'toPass', 'until', 'eventually'])

/** Whether a function around a node is repeated, or is one whose callers repeat it. */
function isRepeated(node: Node): boolean {
  for (let it: Node | null | undefined = node; it; it = it.parent) {
    const call: Node | null | undefined = it.parent
    if (!functions.has(it.type) || call?.type !== 'CallExpression') continue
    const callee = call['callee'] as Node
    if (repeating.has(nameOf(callee))) return true
    // `expect(async () => …).toPass()`
    const next = call.parent
    if (nameOf(callee) === 'expect' && next?.type === 'MemberExpression' && nameOf(next) === 'toPass')
      return true
  }
  return false
}

/**
 * Refuses a value that is read once and then expected: the page, the device or the server may show it a moment later. Replies
 * to the story's own requests are final, and so is what a comment before the statement calls settled.
 */
const values: Rule = {
  create(context) {
    const report = (node: Node): void => {
      if (isSettled(context, node)) return
      context.report({
        node: node as never,
        message:
          'a value that is read once: use expect.poll or an assertion of Playwright, or say before it "Settled: why"',
      })
    }
    return {
      CallExpression: (it) => {
        const node = it as unknown as Node
        const [first] = node['arguments'] as Node[]
        if (!first || !['expect', 'soft'].includes(nameOf(node['callee'])) || isRepeated(node)) return
        if (evaluatedIn(first, isFinal).some((one) => one.type === 'AwaitExpression')) report(node)
      },
      AwaitExpression: (it) => {
        const node = it as unknown as Node
        const call = callOf(node)
        if (!call || !readings.has(nameOf(call)) || isRepeated(node)) return
        const outer = node.parent
        if (outer?.type === 'CallExpression' && nameOf(outer['callee']) === 'expect') return
        report(node)
      },
    }
  },
}

/** Refuses keys that are pressed without waiting for what they act on. */
const keys: Rule = {
  create(context) {
    const report = (node: Node): void =>
      context.report({
        node: node as never,
        message:
          'a key without its target: use the functions of rig/browsers/keyboard.ts, which wait for the focus',
      })
    return {
      MemberExpression: (it) => {
        const node = it as unknown as Node
        if (nameOf(node['property']) === 'keyboard') report(node)
      },
      // `const { keyboard } = page`
      ObjectPattern: (it) => {
        for (const one of (it as unknown as { properties: Node[] }).properties)
          if (nameOf(one['key']) === 'keyboard') report(one)
      },
    }
  },
}

/** Owners of a `close` or `kill` that ends no page: servers, connections, databases. */
const notPages =
  /(server|proxy|network|database|db|result|connection|socket|newer|cluster|redis|postgres|name)$/i

/** Calls after which the app still stores what was typed or picked. */
const inputs = new Set([
  'fill',
  'clear',
  'pressSequentially',
  'insertText',
  'typeOn',
  'setInputFiles',
  'selectOption',
])

/** Refuses to leave, reload, close or kill a page before the device is known to have stored what the story wrote. */
const leaving: Rule = {
  create(context) {
    return {
      ExpressionStatement: (it) => {
        const node = it as unknown as Node
        const call = awaitedCall(node)
        if (!call || !/^go(to|Back|Forward)$/.test(nameOf(call))) return
        const previous = statementBefore(node)
        if (previous && inputs.has(nameOf(awaitedCall(previous))))
          context.report({
            node: it,
            message:
              'a page is left right after an input: expect before it what says that the input is stored',
          })
      },
      CallExpression: (it) => {
        const { callee } = it as unknown as { callee: Node }
        if (callee.type !== 'MemberExpression') return
        const [name, owner] = [nameOf(callee['property']), nameOf(callee['object'])]
        const leaves = name === 'reload' || ((name === 'close' || name === 'kill') && !notPages.test(owner))
        if (!leaves || functionOfPage(it as unknown as Node)) return
        context.report({
          node: it,
          message: `${owner}.${name}(): use the functions of rig/browsers/leaving.ts, which wait until the device has stored it`,
        })
      },
    }
  },
}

/** Whether a node is in a function that runs in the page (`evaluate`), which has databases and windows of its own. */
function functionOfPage(node: Node): boolean {
  for (let it: Node | null | undefined = node; it; it = it.parent)
    if (functions.has(it.type) && /^(evaluate|addInitScript)/.test(nameOf(it.parent))) return true
  return false
}

/** Calls after which a page shows nothing for a moment. */
const navigations = new Set(['goto', 'reload', 'goBack', 'goForward'])
const absences = new Set(['toHaveCount(0)', 'toBeHidden()', 'not.toBeVisible()', 'not.toBeAttached()'])

/** The awaited call of a statement; undefined for others. */
function awaitedCall(statement: Node): Node | undefined {
  const expression = statement['expression']
  return isNode(expression) && expression.type === 'AwaitExpression' ? callOf(expression) : undefined
}

/** The statement before another in its block; undefined for the first. */
function statementBefore(statement: Node): Node | undefined {
  const block = statement.parent?.['body']
  return Array.isArray(block) ? (block as Node[])[block.indexOf(statement) - 1] : undefined
}

/** Whether a call asserts that the page lacks an element or a text. */
function isAbsence(context: Context, call: Node): boolean {
  const text = context.sourceCode.getText(call as never)
  return (
    text.startsWith('expect(') &&
    ([...absences].some((it) => text.endsWith(`.${it}`)) || /\)\s*\.not\.to(Contain|Have)/.test(text))
  )
}

/** Refuses an absence that is asserted right after a navigation: an empty page has nothing either. */
const absence: Rule = {
  create(context) {
    return {
      ExpressionStatement: (it) => {
        const node = it as unknown as Node
        const call = awaitedCall(node)
        const block = node.parent?.['body']
        if (!call || !Array.isArray(block) || !isAbsence(context, call)) return
        const before = (block as Node[]).slice(0, (block as Node[]).indexOf(node)).toReversed()
        const previous = before.map(awaitedCall).find((one) => one === undefined || !isAbsence(context, one))
        if (previous && navigations.has(nameOf(previous)))
          context.report({
            node: it,
            message: 'an absence right after a navigation: expect something of the new page before it',
          })
      },
    }
  },
}

const pages = /^(page|tab|other|desk|reader|own|fan|visitor|app|front|[a-zA-Z]+Page)$/

/** A literal or a template without expressions; undefined for others. */
function literalOf(it: unknown): string | undefined {
  if (!isNode(it)) return undefined
  return it.type === 'Literal' && typeof it['value'] === 'string' ? it['value'] : undefined
}

/**
 * Refuses `page.getByText` for a text that the story wrote: a list beside the page, a toast or the page before may show it too.
 * A text is the story's own when it is an expression, or when the file also has it outside a locator.
 */
const regions: Rule = {
  create(context) {
    const found: [node: Node, text: string | undefined][] = []
    const written = new Set<string>()
    return {
      CallExpression: (it) => {
        const node = it as unknown as Node
        const callee = node['callee'] as Node
        const [first] = node['arguments'] as Node[]
        if (!first) return
        const name = nameOf(callee)
        if (
          callee.type === 'MemberExpression' &&
          name === 'getByText' &&
          pages.test(nameOf(callee['object'])) &&
          !isPattern(first)
        )
          found.push([node, literalOf(first)])
        if (isLocator(node) || /^to(Have|Contain|Be)/.test(name)) return
        for (const one of node['arguments'] as Node[])
          for (const part of evaluatedIn(one, isLocator)) {
            const text = literalOf(part)
            if (text !== undefined) written.add(text)
          }
      },
      'Program:exit': () => {
        for (const [node, text] of found)
          if (text === undefined || written.has(text))
            context.report({
              node: node as never,
              message:
                'a text of the story may be shown twice: begin the locator at a region, an article or a dialog',
            })
      },
    }
  },
}

/** Calls whose texts are those of the page, not of the story. */
const isLocator = (it: Node): boolean => it.type === 'CallExpression' && /^getBy|^filter$/.test(nameOf(it))

/** A regular expression: such texts are of the product's own sentences. */
const isPattern = (it: Node): boolean => it.type === 'Literal' && it['regex'] !== undefined

/** Refuses to wait until no request is running: a page may have none before its first one, or never be without one. */
const loading: Rule = {
  create(context) {
    return {
      Literal: (it) => {
        if (it.value === 'networkidle')
          context.report({
            node: it,
            message:
              'an idle network says nothing of the page: use openLoaded, or expect something of the page',
          })
      },
    }
  },
}

/** The rules by their names, without the prefix of the plugin. */
export const storyRules = {
  'story-values': values,
  'story-keys': keys,
  'story-leaving': leaving,
  'story-absence': absence,
  'story-regions': regions,
  'story-loading': loading,
} satisfies Record<string, Rule>
