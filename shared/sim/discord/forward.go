package discord

// referenceForward is the type of a message_reference that forwards.
const referenceForward = 1

// forward puts a snapshot of another message into this one: all it shows but its author. The bot must be able to read the
// source, and a forward has nothing of its own.
func (s *Server) forward(c *channel, m *Message, d *draft) *reply {
	from := c
	if d.Reference.ChannelID != "" {
		from = s.byID[d.Reference.ChannelID]
	}
	var no reply
	if from == nil {
		no = unknownChannel()
		return &no
	}
	if no := s.may(from, s.bot.ID, readHistory); no != nil {
		return no
	}
	target := from.byID[d.Reference.MessageID]
	switch {
	case target == nil || target.Deleted:
		no = invalidForm(&fieldError{"message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message"})
	case !target.speech() || target.Poll != nil:
		no = invalidForm(&fieldError{"message_reference", "MESSAGE_REFERENCE_NOT_FORWARDABLE", "This message cannot be forwarded"})
	case m.Content != "" || len(m.Embeds) > 0 || len(m.Components) > 0 || len(d.Attachments) > 0 || len(d.StickerIDs) > 0 || d.Poll != nil:
		no = invalidForm(&fieldError{"message_reference", "MESSAGE_FORWARD_CANNOT_HAVE_CONTENT", "Forwarded messages cannot have additional content"})
	default:
		m.MessageReference = &Reference{Type: referenceForward, ChannelID: from.id, MessageID: target.ID, GuildID: s.guildOf(from)}
		m.Snapshots = []Snapshot{snapshot(target)}
		return nil
	}
	return &no
}

// snapshot is what a forward carries of a message: of a forward, the snapshot that is in it.
func snapshot(m *Message) Snapshot {
	if len(m.Snapshots) > 0 {
		return m.Snapshots[0]
	}
	return Snapshot{SnapshotMessage{
		Type: m.Type, Content: m.Content, Mentions: m.Mentions, MentionRoles: m.MentionRoles, Attachments: list(m.Attachments),
		Embeds: list(m.Embeds), Timestamp: m.Timestamp, EditedTimestamp: m.EditedTimestamp, Flags: m.Flags,
		Components: list(m.Components), StickerItems: m.StickerItems,
	}}
}
