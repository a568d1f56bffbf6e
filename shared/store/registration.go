package store

import (
	"context"
	"fmt"
	"time"

	"tsumugi/shared/kv"
)

// Registration is what was told to Discord of an installation.
type Registration struct {
	Application string    `json:"application"` // whose commands were registered
	Commands    string    `json:"commands"`    // which, as a hash
	Done        string    `json:"done"`        // all that was to be told when it was told last, as a hash; "" while something is missing
	Checked     time.Time `json:"checked"`     // when Done was last found true
}

// Registrations keeps it. The item is beside the installation's cast.
type Registrations struct{ kv kv.Driver }

// NewRegistrations keeps the registration in the driver.
func NewRegistrations(d kv.Driver) *Registrations { return &Registrations{d} }

func registrationKey() kv.Key {
	return kv.Key{Space: SpaceMemory, Partition: "installation", Sort: "registration"}
}

// Registration reads it; before the first time it is empty.
func (r *Registrations) Registration(ctx context.Context) (Registration, error) {
	item, err := lookup(ctx, r.kv, registrationKey())
	if err != nil {
		return Registration{}, fmt.Errorf("read the registration: %w", err)
	}
	if !item.Has("registration") {
		return Registration{}, nil
	}
	return decode[Registration](item, "registration")
}

// Save keeps it. Of two that run at once the last one counts: whatever is missing then is told to Discord once more.
func (r *Registrations) Save(ctx context.Context, g Registration) error {
	body, err := encode(g)
	if err != nil {
		return err
	}
	op := kv.Op{Verb: kv.Put, Key: registrationKey(), Attrs: kv.Attrs{"registration": body}}
	if err := patiently(ctx, func() error { return r.kv.Write(ctx, op) }); err != nil {
		return fmt.Errorf("save the registration: %w", err)
	}
	return nil
}
