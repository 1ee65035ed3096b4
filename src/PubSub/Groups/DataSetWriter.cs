using System.Runtime.InteropServices;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Groups;

/// <summary>The state of one DataSetWriter: the last value of each field, the changes since the last message, and its
/// sequence number. A field that has changed twice since then is in two messages: no change is lost. Owner: its group,
/// under the group's lock. Source: Part 14 §6.2.4.</summary>
internal sealed class DataSetWriter
{
    private readonly List<List<FrameField>> _rounds = [];
    private FrameField[] _last = [];
    private int[] _roundsOf = [];
    private int _usedRounds;
    private int _quietIntervals;
    private uint _sequence;

    public DataSetWriter(PublishedDataSet dataSet, WriterDescription description)
    {
        (DataSet, Description) = (dataSet, description);
        DemandKeyFrame();
    }

    public PublishedDataSet DataSet { get; }

    /// <summary>Of <see cref="Layout"/>.</summary>
    public WriterDescription Description { get; private set; }

    /// <summary>Null: it follows none yet.</summary>
    public DataSetLayout? Layout { get; private set; }

    /// <summary>Timestamp of its last message; null: none.</summary>
    public long? SentAt { get; private set; }

    public long Messages { get; private set; }

    /// <summary>Messages that the changes make: as many as the field with the most of them has.</summary>
    public int Rounds => _usedRounds;

    /// <summary>The next message must have all fields.</summary>
    public bool IsKeyFrameDue { get; private set; }

    /// <summary>Fields of a layout that replaces another keep their values by <paramref name="placesBefore"/>.
    /// </summary>
    /// <param name="layout">The new one.</param>
    /// <param name="placesBefore">For each field its index before, or −1.</param>
    public void Change(DataSetLayout layout, ReadOnlySpan<int> placesBefore)
    {
        var last = new FrameField[placesBefore.Length];
        for (var i = 0; i < last.Length; i++)
        {
            var before = placesBefore[i];
            last[i] = before < 0
                ? new FrameField(i, null, WaitingStatus(layout.Fields[i]))
                : _last[before] with { Index = i };
            if (before >= 0)
                _last[before] = default;
        }

        ReleaseLast();
        (_last, _roundsOf, Layout) = (last, new int[last.Length], layout);
        Description = Description with { MetaData = layout.MetaData };
        DemandKeyFrame();
    }

    /// <summary>A change of a field. The value's reference stays the caller's, who holds it until
    /// <see cref="EndMessages"/>.</summary>
    public void Take(int field, SharedValue value, StatusCode status)
    {
        if ((uint)field >= (uint)_last.Length)
            return;
        var round = _roundsOf[field]++;
        if (round == _rounds.Count)
            _rounds.Add([]);
        _usedRounds = Math.Max(_usedRounds, round + 1);
        _rounds[round].Add(new FrameField(field, value, status));
    }

    /// <summary>An event makes a message of its own. As <see cref="Take"/>.</summary>
    public void TakeEvent(SharedValue fields, ValueStore values)
    {
        if (_usedRounds == _rounds.Count)
            _rounds.Add([]);
        EventSplit.Split(fields, Description.MetaData.Fields ?? [], values, _rounds[_usedRounds++]);
    }

    /// <summary>The fields of a message. The span is valid until the next call.</summary>
    /// <param name="round">From 0, in order: a key frame has the values up to it.</param>
    /// <param name="kind">The kind of the message.</param>
    public ReadOnlySpan<FrameField> FieldsOf(int round, out FrameKind kind)
    {
        var changed = CollectionsMarshal.AsSpan(_rounds[round]);
        kind = FrameKind.Event;
        if (DataSet.Options.IsOfEvents)
            return changed;
        foreach (ref readonly var field in changed)
            Remember(field);
        var isKeyFrame = IsKeyFrameDue || Description.HasKeyFramesOnly || DataSet.Options.KeyFrameCount == 1;
        kind = isKeyFrame ? FrameKind.KeyFrame : FrameKind.DeltaFrame;
        return isKeyFrame ? _last : changed;
    }

    /// <summary>The changes go into no message, which leaves a gap; the next one has all fields.</summary>
    public void Skip()
    {
        OnLost(_usedRounds);
        for (var round = 0; round < _usedRounds; round++)
            FieldsOf(round, out _);
        DemandKeyFrame();
    }

    /// <summary>All fields as they are known.</summary>
    public ReadOnlySpan<FrameField> AllFields => _last;

    /// <summary>The number of the next message, which is counted by <see cref="OnSent"/>. A keep-alive has it, too. Set
    /// before the first one: where a writer before it, with the same id, has counted so far.</summary>
    public uint NextSequence
    {
        get => _sequence;
        set => _sequence = value;
    }

    public void OnSent(FrameKind kind, long now)
    {
        SentAt = now;
        if (kind == FrameKind.KeepAlive)
            return;
        _sequence++;
        Messages++;
        if (kind == FrameKind.KeyFrame)
            OnKeyFrameSplit();
    }

    /// <summary>Messages that never leave have their numbers all the same: a subscriber sees the gap.</summary>
    public void OnLost(int messages) => _sequence += (uint)messages;

    /// <summary>A key frame has left in parts.</summary>
    public void OnKeyFrameSplit() => (IsKeyFrameDue, _quietIntervals) = (false, 0);

    /// <summary>An interval has passed.</summary>
    public void CountInterval()
    {
        if (++_quietIntervals >= DataSet.Options.KeyFrameCount || Description.IsPeriodic)
            DemandKeyFrame();
    }

    /// <summary>The changes are in messages; their values are given back by their holder.</summary>
    public void EndMessages()
    {
        for (var i = 0; i < _usedRounds; i++)
        {
            foreach (ref readonly var field in CollectionsMarshal.AsSpan(_rounds[i]))
            {
                _roundsOf[field.Index] = 0;
                // The parts of an event were made here.
                if (DataSet.Options.IsOfEvents)
                    field.Value?.Release();
            }

            _rounds[i].Clear();
        }

        _usedRounds = 0;
    }

    /// <summary>Gives all values back.</summary>
    public void Release()
    {
        EndMessages();
        ReleaseLast();
        (_last, _roundsOf) = ([], []);
    }

    /// <summary>Events have none.</summary>
    private void DemandKeyFrame() => IsKeyFrameDue = !DataSet.Options.IsOfEvents;

    private static StatusCode WaitingStatus(in PublishedField field) =>
        field.Node.IsNull ? StatusCodes.BadNodeIdUnknown : StatusCodes.BadWaitingForInitialData;

    private void Remember(in FrameField field)
    {
        ref var place = ref _last[field.Index];
        field.Value?.AddReference();
        place.Value?.Release();
        place = field;
    }

    private void ReleaseLast()
    {
        foreach (ref readonly var field in _last.AsSpan())
            field.Value?.Release();
    }
}
