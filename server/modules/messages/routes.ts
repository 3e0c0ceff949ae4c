// Routes of messages: lists and state of conversations, and their messages.
import type { FastifyInstance } from 'fastify'
import {
  acceptRequest,
  changeConversation,
  clearConversation,
  countUnreadMessages,
  declineRequest,
  getConversation,
  listConversations,
  readConversation,
  receiveMessages,
} from '#contract/messages/conversations.ts'
import {
  hideMessage,
  listMessageChanges,
  listMessages,
  reactToMessage,
  removeReaction,
  sendMessage,
  unsendMessage,
} from '#contract/messages/messages.ts'
import { getPresence } from '#contract/messages/presence.ts'
import { searchMessages } from '#contract/messages/search.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import { countUnreadOf, LIST_PAGE, listConversationRows } from '#server/store/messages/lists.ts'
import { broadcastRoutes } from './broadcasts.ts'
import { hide, react, unsend } from './change.ts'
import * as member from './member.ts'
import { listChanges, listPage, sentView } from './read.ts'
import { findMessages } from './search.ts'
import { send } from './send.ts'
import { conversationView, listedViews, presenceView } from './views.ts'

export function messageRoutes(app: FastifyInstance, deps: Deps): void {
  listRoutes(app, deps)
  conversationRoutes(app, deps)
  readingRoutes(app, deps)
  writingRoutes(app, deps)
  broadcastRoutes(app, deps)
}

function listRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  memberRoute(app, listConversations, async ({ viewer, query }) => {
    const after = timeCursor.read(query.cursor)
    const rows = await listConversationRows(db, viewer.id, query.list, after)
    const { shown, next } = timeCursor.pageOf(rows, LIST_PAGE, (row) => row)
    const isFirst = query.list === 'inbox' && after === undefined
    const pinned = isFirst ? await listConversationRows(db, viewer.id, 'pinned', undefined) : []
    const views = await listedViews(deps, viewer.id, [...pinned, ...shown])
    return { pinned: views.slice(0, pinned.length), conversations: views.slice(pinned.length), next }
  })
  memberRoute(app, countUnreadMessages, ({ viewer }) => countUnreadOf(db, viewer.id))
}

function conversationRoutes(app: FastifyInstance, deps: Deps): void {
  const viewOf = ({ viewer, params }: Pick<member.MemberCall, 'viewer' | 'params'>) =>
    conversationView(deps, viewer.id, params.user_id)
  memberRoute(app, getConversation, viewOf)
  memberRoute(app, getPresence, ({ viewer, params }) => presenceView(deps, viewer.id, params.user_id))
  memberRoute(app, readConversation, async (call) => {
    await member.moveTo(deps, call, 'read', call.body.seq)
    return viewOf(call)
  })
  memberRoute(app, receiveMessages, async (call) => {
    await member.moveTo(deps, call, 'delivered', call.body.seq)
    return viewOf(call)
  })
  memberRoute(app, changeConversation, async (call) => {
    await member.change(deps, call, call.body)
    return viewOf(call)
  })
  memberRoute(app, acceptRequest, async (call) => {
    await member.acceptRequest(deps, call)
    return viewOf(call)
  })
  memberRoute(app, declineRequest, async (call) => {
    await member.declineRequest(deps, call)
    return viewOf(call)
  })
  memberRoute(app, clearConversation, async (call) => {
    await member.clear(deps, call)
    return viewOf(call)
  })
}

function readingRoutes(app: FastifyInstance, deps: Deps): void {
  memberRoute(app, listMessages, ({ viewer, params, query }) =>
    listPage(deps, viewer.id, params.user_id, query),
  )
  const searches = { rateLimit: perPerson(deps.settings.limits.search) }
  memberRoute(app, searchMessages, ({ viewer, query }) => findMessages(deps, viewer.id, query), searches)
  memberRoute(app, listMessageChanges, ({ viewer, params, query }) =>
    listChanges(deps, viewer.id, params.user_id, query),
  )
}

function writingRoutes(app: FastifyInstance, deps: Deps): void {
  const options = { rateLimit: perPerson(deps.settings.limits.messages) }
  memberRoute(
    app,
    sendMessage,
    async ({ viewer, params, body, request }) => {
      const it = { senderId: viewer.id, recipientId: params.user_id, body, request }
      return sentView(deps, viewer.id, await send(deps, it))
    },
    options,
  )
  memberRoute(app, unsendMessage, (call) => unsend(deps, call), options)
  memberRoute(
    app,
    hideMessage,
    async (call) => {
      await hide(deps, call)
      return { data: { id: call.params.message_id } }
    },
    options,
  )
  memberRoute(app, reactToMessage, (call) => react(deps, call, call.body.reaction), options)
  memberRoute(app, removeReaction, (call) => react(deps, call, undefined), options)
}
