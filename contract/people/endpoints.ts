// Endpoints of profiles, follows and mutes.
import { follow, unfollow, listFollows } from './follows.ts'
import { mutePerson, unmutePerson, listMutes } from './mutes.ts'
import {
  getProfile,
  suggestPeople,
  changeProfile,
  checkHandle,
  getOwnPictures,
  putPicture,
  removePicture,
} from './people.ts'

export const peopleEndpoints = [
  getProfile,
  suggestPeople,
  changeProfile,
  checkHandle,
  getOwnPictures,
  putPicture,
  removePicture,
  follow,
  unfollow,
  listFollows,
  mutePerson,
  unmutePerson,
  listMutes,
] as const
