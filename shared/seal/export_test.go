package seal

// Remembered is how many secrets are in memory.
func Remembered(c *Cache) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.opened)
}
