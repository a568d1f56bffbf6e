package chat_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
)

// work runs a worker in a bubble.
func work(t *testing.T, run func(d *diary) error, check func(d *diary, err error)) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		d := newDiary()
		err := run(d)
		check(d, err)
	})
}

func TestKeepBeatsEveryTenSeconds(t *testing.T) {
	work(t, func(d *diary) error {
		return d.work(context.Background(), func(context.Context, *chat.Keeper) error {
			time.Sleep(35 * time.Second)
			return nil
		})
	}, func(d *diary, err error) {
		if err != nil {
			t.Error(err)
		}
		d.afterStart().want(t, "10s beat", "10s hide for 1m0s", "20s beat", "20s hide for 1m0s", "30s beat", "30s hide for 1m0s")
	})
}

func TestKeepLooksEverySecondWhileStreaming(t *testing.T) {
	work(t, func(d *diary) error {
		return d.work(context.Background(), func(_ context.Context, k *chat.Keeper) error {
			time.Sleep(500 * time.Millisecond)
			k.Streaming(true)
			time.Sleep(3100 * time.Millisecond)
			k.Streaming(false)
			time.Sleep(4900 * time.Millisecond)
			k.Streaming(true)
			time.Sleep(2600 * time.Millisecond)
			return nil
		})
	}, func(d *diary, err error) {
		if err != nil {
			t.Error(err)
		}
		// the beat keeps its own time: looking is no sign of life
		d.afterStart().want(t, "1.5s watch", "2.5s watch", "3.5s watch", "9.5s watch", "10s beat", "10s hide for 1m0s", "11s watch")
	})
}

func TestPausingLooksFourTimesASecond(t *testing.T) {
	work(t, func(d *diary) error {
		return d.work(context.Background(), func(_ context.Context, k *chat.Keeper) error {
			time.Sleep(500 * time.Millisecond)
			k.Streaming(true)
			k.Pausing(true)
			time.Sleep(300 * time.Millisecond)
			k.Pausing(true) // it says so again and again
			time.Sleep(300 * time.Millisecond)
			k.Pausing(false)
			time.Sleep(1100 * time.Millisecond)
			return nil
		})
	}, func(d *diary, _ error) { d.afterStart().want(t, "750ms watch", "1s watch", "2.1s watch") })
}

func TestWhatIsSeenWhileStreaming(t *testing.T) {
	for _, c := range []struct {
		name string
		sig  chat.Signal
		err  error
		ends error
	}{
		{"a stop", chat.Signal{Kind: chat.SignalStop, Hold: "e1"}, nil, nil},
		{"another's fence", chat.Signal{}, chat.ErrLost, chat.ErrLost},
		{"nothing, for the store is away", chat.Signal{}, errors.New("the store is away"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			work(t, func(d *diary) error {
				d.watch = func() (chat.Signal, error) { return c.sig, c.err }
				return d.work(context.Background(), func(ctx context.Context, k *chat.Keeper) error {
					k.Streaming(true)
					time.Sleep(chat.WatchEvery + time.Millisecond)
					if k.Signal() != c.sig || !errors.Is(context.Cause(ctx), c.ends) {
						t.Errorf("signal %+v, ended by %v", k.Signal(), context.Cause(ctx))
					}
					return nil
				})
			}, func(*diary, error) {})
		})
	}
}

func TestVisibilityIsExtendedAfterTheBeatOnly(t *testing.T) {
	t.Run("a slow beat delays it", func(t *testing.T) {
		work(t, func(d *diary) error {
			d.slow = 4 * time.Second
			return d.work(context.Background(), func(context.Context, *chat.Keeper) error {
				time.Sleep(15 * time.Second)
				return nil
			})
		}, func(d *diary, _ error) { d.afterStart().want(t, "14s beat", "14s hide for 1m0s") })
	})
	t.Run("a failed beat forbids it", func(t *testing.T) {
		work(t, func(d *diary) error {
			d.beat = func(n int) (chat.Signal, error) {
				if n == 1 {
					return chat.Signal{}, errors.New("the store is away")
				}
				return chat.Signal{}, nil
			}
			return d.work(context.Background(), func(context.Context, *chat.Keeper) error {
				time.Sleep(25 * time.Second)
				return nil
			})
		}, func(d *diary, _ error) { d.afterStart().want(t, "10s beat", "20s beat", "20s hide for 1m0s") })
	})
	t.Run("a beat that hangs is given up", func(t *testing.T) {
		work(t, func(d *diary) error {
			d.slow = time.Hour
			return d.work(context.Background(), func(context.Context, *chat.Keeper) error {
				time.Sleep(25 * time.Second)
				return nil
			})
		}, func(d *diary, err error) {
			if err != nil {
				t.Error(err)
			}
			d.afterStart().want(t)
		})
	})
}

func TestLosingTheFenceEndsTheWork(t *testing.T) {
	work(t, func(d *diary) error {
		d.beat = func(int) (chat.Signal, error) { return chat.Signal{}, chat.ErrLost }
		return d.work(context.Background(), func(ctx context.Context, k *chat.Keeper) error {
			<-ctx.Done()
			if time.Since(d.start) != chat.BeatEvery || !errors.Is(context.Cause(ctx), chat.ErrLost) {
				t.Errorf("ended after %v: %v", time.Since(d.start), context.Cause(ctx))
			}
			if err := k.Ready(ctx); !errors.Is(err, chat.ErrLost) {
				t.Errorf("ready after the loss: %v", err)
			}
			time.Sleep(time.Minute) // a dead fence beats no more
			return ctx.Err()
		})
	}, func(d *diary, err error) {
		if err != nil {
			t.Errorf("the message of a worker that lost says nothing more, and yet: %v", err)
		}
		d.afterStart().want(t, "10s beat")
	})
}

func TestReady(t *testing.T) {
	work(t, func(d *diary) error {
		d.beat = func(n int) (chat.Signal, error) {
			if n <= 3 {
				return chat.Signal{}, errors.New("the store is away")
			}
			return chat.Signal{}, nil
		}
		return d.work(context.Background(), func(ctx context.Context, k *chat.Keeper) error {
			time.Sleep(chat.Fresh) // the beats of 10 s, 20 s and 30 s failed: the last one is acquire's
			if err := k.Ready(ctx); err != nil {
				t.Errorf("a beat that is just fresh: %v", err)
			}
			time.Sleep(time.Millisecond)
			if err := k.Ready(ctx); err != nil {
				t.Errorf("an old beat is renewed: %v", err)
			}
			if err := k.Ready(ctx); err != nil {
				t.Errorf("a beat that was just renewed: %v", err)
			}
			return nil
		})
	}, func(d *diary, err error) {
		if err != nil {
			t.Error(err)
		}
		d.afterStart().want(t, "10s beat", "20s beat", "30s beat", "30.001s beat", "30.001s hide for 1m0s")
	})
}

func TestReadyAfterABeatThatWasLearnedOfLate(t *testing.T) {
	work(t, func(d *diary) error {
		d.beat = func(n int) (chat.Signal, error) {
			switch n {
			case 4:
				time.Sleep(chat.DeadLimit + time.Minute)
				return chat.Signal{}, nil
			case 5:
				return chat.Signal{}, chat.ErrLost
			}
			return chat.Signal{}, errors.New("the store is away")
		}
		return d.work(context.Background(), func(ctx context.Context, k *chat.Keeper) error {
			time.Sleep(chat.Fresh + time.Second)
			if err := k.Ready(ctx); !errors.Is(err, chat.ErrLost) {
				t.Errorf("a call of Discord would start long after the beat: %v", err)
			}
			return nil
		})
	}, func(*diary, error) {})
}

func TestReadyRefusesWithoutABeat(t *testing.T) {
	away := errors.New("the store is away")
	work(t, func(d *diary) error {
		d.beat = func(int) (chat.Signal, error) { return chat.Signal{}, away }
		return d.work(context.Background(), func(ctx context.Context, k *chat.Keeper) error {
			time.Sleep(chat.Fresh + time.Second)
			return k.Ready(ctx)
		})
	}, func(_ *diary, err error) {
		if !errors.Is(err, away) {
			t.Errorf("a call of Discord would start without a beat: %v", err)
		}
	})
}

func TestSignalsAreRanked(t *testing.T) {
	sig := func(kind chat.SignalKind, hold chat.EventID) chat.Signal { return chat.Signal{Kind: kind, Hold: hold} }
	for _, c := range []struct {
		name    string
		acquire chat.Signal
		beats   []chat.Signal
		want    chat.SignalKind
	}{
		{"none", chat.Signal{}, []chat.Signal{{}}, chat.NoSignal},
		{"for another hold", sig(chat.SignalStop, "e0"), []chat.Signal{sig(chat.SignalStop, "e0")}, chat.NoSignal},
		{"known since acquire", sig(chat.SignalStop, "e1"), []chat.Signal{{}}, chat.SignalStop},
		{"a stop replaces a follow-up", sig(chat.SignalFollowUp, "e1"), []chat.Signal{sig(chat.SignalStop, "e1")}, chat.SignalStop},
		{"nothing replaces a stop", sig(chat.SignalStop, "e1"), []chat.Signal{sig(chat.SignalFollowUp, "e1"), sig(chat.SignalKill, "e1")}, chat.SignalStop},
		{"a signal that was seen stays", chat.Signal{}, []chat.Signal{sig(chat.SignalFollowUp, "e1"), {}}, chat.SignalFollowUp},
	} {
		t.Run(c.name, func(t *testing.T) {
			work(t, func(d *diary) error {
				d.hold.Signal = c.acquire
				d.beat = func(n int) (chat.Signal, error) { return c.beats[n-1], nil }
				return d.work(context.Background(), func(ctx context.Context, k *chat.Keeper) error {
					for range c.beats {
						if err := k.Look(ctx); err != nil {
							return err
						}
					}
					if got := k.Signal().Kind; got != c.want {
						t.Errorf("signal %q, want %q", got, c.want)
					}
					select {
					case <-k.Signalled():
						if c.want == chat.NoSignal {
							t.Error("signalled by nothing")
						}
					default:
						if c.want != chat.NoSignal {
							t.Error("nobody was woken")
						}
					}
					return nil
				})
			}, func(_ *diary, err error) {
				if err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestProgressIsCarriedByTheNextBeatAlone(t *testing.T) {
	work(t, func(d *diary) error {
		return d.work(context.Background(), func(_ context.Context, k *chat.Keeper) error {
			k.Progress()
			time.Sleep(25 * time.Second)
			return nil
		})
	}, func(d *diary, _ error) {
		d.afterStart().want(t, "10s beat with progress", "10s hide for 1m0s", "20s beat", "20s hide for 1m0s")
	})
}

func TestStaleJob(t *testing.T) {
	for _, c := range []struct {
		name    string
		waiting *chat.Job
		want    []string
	}{
		{"sends what is still in the outbox", &chat.Job{Queue: chat.QueueTurns, N: 5}, []string{"0s send #5"}},
		{"has nothing to send", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			work(t, func(d *diary) error {
				d.stale, d.waiting = true, c.waiting
				return d.work(context.Background(), func(context.Context, *chat.Keeper) error {
					t.Error("a stale job permits nothing")
					return nil
				})
			}, func(d *diary, err error) {
				if err != nil {
					t.Error(err)
				}
				d.afterStart().want(t, c.want...)
			})
		})
	}
}

func TestRetryGivesTheHeadBackFirst(t *testing.T) {
	cause := errors.New("an outage")
	for _, c := range []struct {
		retries int
		err     error
		want    time.Duration
	}{
		{0, cause, time.Second},
		{3, cause, 8 * time.Second},
		{40, cause, chat.BackoffMax},
		{0, &chat.Failure{Kind: chat.Throttled, After: 20 * time.Second}, 20 * time.Second},
		{0, &chat.Failure{Kind: chat.Throttled, After: time.Hour}, chat.BackoffMax},
	} {
		t.Run(fmt.Sprintf("%d retries, %v", c.retries, c.err), func(t *testing.T) {
			work(t, func(d *diary) error {
				d.hold.Head.Retries = c.retries
				return d.work(context.Background(), func(ctx context.Context, k *chat.Keeper) error { return k.Retry(ctx, c.err) })
			}, func(d *diary, err error) {
				if after, deferred := chat.Deferred(err); !deferred || after != c.want || !errors.Is(err, c.err) {
					t.Errorf("deferred %v for %v: %v", deferred, after, err)
				}
				d.afterStart().want(t, fmt.Sprintf("0s yield %d after %v", chat.Retry, c.want))
			})
		})
	}
}

func TestWhatWasNotGivenBackReturnsWhenTheBeatIsDead(t *testing.T) {
	cause, away := errors.New("an outage"), errors.New("the store is away")
	for _, c := range []struct {
		name  string
		yield error
		after func(ctx context.Context, k *chat.Keeper) error
		want  time.Duration
	}{
		{"a retry", away, func(ctx context.Context, k *chat.Keeper) error { return k.Retry(ctx, cause) }, chat.Visibility},
		{"a hand-over", away, func(ctx context.Context, k *chat.Keeper) error { return k.HandOver(ctx) }, chat.Visibility},
		{"not one that moved on", chat.ErrLost, func(ctx context.Context, k *chat.Keeper) error { return k.Retry(ctx, cause) }, time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			work(t, func(d *diary) error {
				d.yield = func(chat.YieldKind) (chat.Job, error) { return chat.Job{}, c.yield }
				return d.work(context.Background(), c.after)
			}, func(_ *diary, err error) {
				if after, deferred := chat.Deferred(err); !deferred || after != c.want {
					t.Errorf("deferred %v for %v: %v", deferred, after, err)
				}
			})
		})
	}
}

func TestHandOverSendsTheJobItself(t *testing.T) {
	work(t, func(d *diary) error {
		ctx, cancel := context.WithCancelCause(context.Background())
		return d.work(ctx, func(ctx context.Context, k *chat.Keeper) error {
			cancel(chat.ErrHandOver)
			return k.HandOver(ctx) // its writes outlive the context that ended
		})
	}, func(d *diary, err error) {
		if err != nil {
			t.Error(err)
		}
		d.afterStart().want(t, fmt.Sprintf("0s yield %d after 0s", chat.HandOver), "0s send #9")
	})
}

func TestBeatDoesNotOutliveAPanic(t *testing.T) {
	work(t, func(d *diary) error {
		return d.work(context.Background(), func(context.Context, *chat.Keeper) error { panic("of a worker") })
	}, func(d *diary, err error) { // synctest fails the test if a goroutine is left
		if after, ok := chat.Deferred(err); !ok || after != chat.Visibility || strings.Contains(err.Error(), "of a worker") {
			t.Errorf("a panic is a crash, and its value is nobody's business: got %v", err)
		}
		d.afterStart().want(t)
	})
}
