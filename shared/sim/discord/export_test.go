package discord

// Starve ends every event stream, as a reader that fell behind is ended.
func (s *Server) Starve() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for w := range s.watchers {
		delete(s.watchers, w)
		close(w.late)
	}
}
