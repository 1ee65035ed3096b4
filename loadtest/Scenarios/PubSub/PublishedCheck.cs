using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Scenarios.PubSub;

/// <summary>Checks all that comes of all writers: sequence numbers of each writer, counters of each tag. A key frame
/// may repeat a value that has not changed, and nothing else may. A message that comes once more is dropped
/// and counted. Owner: the subscriber's loop; counts may be read from others as they stand.</summary>
internal sealed class PublishedCheck
{
    private readonly TimeProvider _time = TimeProvider.System;
    private readonly CounterCheck _counters;
    private readonly uint[] _next;
    private readonly bool[] _isKnown;
    private readonly uint _mask;
    private readonly int _tags;
    private FrameKind _kind;
    private bool _isDropped;
    private DateTime _arrived;

    /// <param name="writers">Their ids are 1 and up.</param>
    /// <param name="tags">Of all writers together.</param>
    /// <param name="sequenceMask">Of a sequence number: 0xFFFF in UADP.</param>
    public PublishedCheck(int writers, int tags, uint sequenceMask)
    {
        (_tags, _mask, _counters) = (tags, sequenceMask, new CounterCheck(tags));
        _next = new uint[writers + 1];
        _isKnown = new bool[writers + 1];
    }

    public CounterCheck Counters => _counters;

    /// <summary>From the source timestamp of each changed value to its arrival; null: not measured now.</summary>
    public volatile Histogram? Latency;

    /// <summary>With fields, without those that came once more.</summary>
    public long Messages { get; private set; }

    /// <summary>Fields in them.</summary>
    public long Fields { get; private set; }

    /// <summary>Fields of key frames that had not changed.</summary>
    public long Unchanged { get; private set; }

    public long KeyFrames { get; private set; }

    /// <summary>Messages that came before.</summary>
    public long Again { get; private set; }

    public long SequenceGaps { get; private set; }

    /// <summary>Messages that no decoder took.</summary>
    public long Unreadable { get; private set; }

    /// <summary>Age of the newest value, at its arrival.</summary>
    public double LastAgeMs { get; private set; } = double.PositiveInfinity;

    public void AddUnreadable() => Unreadable++;

    public void Begin(int writer, uint sequence, FrameKind kind)
    {
        (_kind, _isDropped) = (kind, kind == FrameKind.KeepAlive);
        if ((uint)writer >= (uint)_next.Length)
        {
            (_isDropped, Unreadable) = (true, Unreadable + 1);
            return;
        }

        if (kind == FrameKind.KeepAlive)
            return;
        var ahead = (int)((sequence - _next[writer]) & _mask);
        if (_isKnown[writer] && ahead != 0)
        {
            // The upper half of the numbers is behind.
            if (ahead < 0 || (uint)ahead > _mask / 2)
            {
                (_isDropped, Again) = (true, Again + 1);
                return;
            }

            SequenceGaps++;
        }

        (_next[writer], _isKnown[writer]) = ((sequence + 1) & _mask, true);
        Messages++;
        KeyFrames += kind == FrameKind.KeyFrame ? 1 : 0;
        _arrived = _time.GetUtcNow().UtcDateTime;
    }

    public void Add(int tag, double value, DateTime source)
    {
        if (_isDropped)
            return;
        Fields++;
        if ((uint)tag < (uint)_tags && _kind == FrameKind.KeyFrame)
        {
            // Before a tag's first value a key frame has none for it.
            var last = _counters.LastOf((uint)tag);
            if (last == value || (double.IsNaN(last) && double.IsNaN(value)))
            {
                Unchanged++;
                return;
            }
        }

        _counters.Add((uint)tag, value);
        LastAgeMs = (_arrived - source).TotalMilliseconds;
        Latency?.Add(LastAgeMs);
    }
}
