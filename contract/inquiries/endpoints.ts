// Every endpoint of inquiries and of the transparency page.
import {
  askAuthor,
  askSender,
  decideInquiry,
  getInquiry,
  leaveInquiry,
  listInquiries,
  takeInquiry,
} from './admin-inquiries.ts'
import {
  answerInquiry,
  confirmInquiry,
  readInquiry,
  readOpinion,
  sendInquiry,
  sendOpinion,
  withdrawInquiry,
} from './inquiries.ts'
import { getTransparency } from './transparency.ts'

export const inquiryEndpoints = [
  sendInquiry,
  readInquiry,
  confirmInquiry,
  answerInquiry,
  withdrawInquiry,
  readOpinion,
  sendOpinion,
  listInquiries,
  getInquiry,
  takeInquiry,
  leaveInquiry,
  askSender,
  askAuthor,
  decideInquiry,
  getTransparency,
] as const
