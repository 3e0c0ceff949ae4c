// The lists of conversations, whose names are in addresses.
import * as v from 'valibot'

export const conversationList = v.picklist(['inbox', 'requests', 'archived'])
export type ConversationList = v.InferOutput<typeof conversationList>
