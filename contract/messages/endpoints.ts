// Every endpoint about messages, for the list of the whole API.
import { countAudience, listBroadcasts, sendBroadcast, stopBroadcast } from './broadcasts.ts'
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
} from './conversations.ts'
import {
  hideMessage,
  listMessageChanges,
  listMessages,
  reactToMessage,
  removeReaction,
  sendMessage,
  unsendMessage,
} from './messages.ts'

import { getPresence } from './presence.ts'
import { listReportableMessages } from './reportable.ts'
import { searchMessages } from './search.ts'

export const messageEndpoints = [
  listConversations,
  countUnreadMessages,
  getConversation,
  getPresence,
  readConversation,
  receiveMessages,
  changeConversation,
  acceptRequest,
  declineRequest,
  clearConversation,
  listMessages,
  listMessageChanges,
  sendMessage,
  unsendMessage,
  hideMessage,
  reactToMessage,
  removeReaction,
  searchMessages,
  listReportableMessages,
  listBroadcasts,
  countAudience,
  sendBroadcast,
  stopBroadcast,
] as const
