using System.Text;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;

namespace Gateway.PubSub.Groups;

/// <summary>Packs the frames of a group's writers into NetworkMessages and hands these to the output. Owner: the group,
/// under its lock.</summary>
internal sealed class MessagePacker(
    WriterGroupOptions options, INetworkMessageWriter message,
    IReadOnlyList<(DataSetWriter Writer, string Topic)> writers, IMessageOutput output, GroupCounters counters)
{
    private readonly DataSetWriter[] _writers = [.. writers.Select(static one => one.Writer)];
    private readonly byte[][] _topics = [.. writers.Select(static one => Encoding.UTF8.GetBytes(one.Topic))];
    private int _open = -1;
    private bool _isBroken;
    private DateTime _now;
    private long _at;

    /// <param name="now">UTC; of all messages until the next call.</param>
    /// <param name="at">The same as a timestamp.</param>
    public void Begin(DateTime now, long at) => (_now, _at) = (now, at);

    /// <summary>Into the open message where there is room, else into one of its own.</summary>
    public void Add(int writer, FrameKind kind, ReadOnlySpan<FrameField> fields)
    {
        var of = _writers[writer];
        var frame = new DataSetFrame
        {
            Writer = of.Description,
            Kind = kind,
            SequenceNumber = of.NextSequence,
            Timestamp = _now,
            Fields = fields,
        };
        if (options.IsPeriodic)
        {
            AddPlaced(writer, frame);
            return;
        }

        if (_open >= 0 && !(options.Batched && message.TryAdd(frame)))
            Send();
        else if (_open >= 0)
        {
            of.OnSent(kind, _at);
            return;
        }

        message.Begin(Guid.NewGuid(), _now);
        if (message.TryAdd(frame))
        {
            _open = writer;
            of.OnSent(kind, _at);
        }
        else if (of.Description.HasKeyFramesOnly || kind == FrameKind.Event)
        {
            // It has no parts that a subscriber could take alone. A gap in the numbers tells him of it.
            counters.TooLarge++;
            counters.Lost++;
            of.OnLost(1);
        }
        else
        {
            if (fields.Length > 1)
                AddHalves(writer, fields);
            else
                AddTooLarge(writer, fields);
            // Its fields have left in delta frames.
            if (kind == FrameKind.KeyFrame)
                of.OnKeyFrameSplit();
        }
    }

    /// <summary>The open message leaves.</summary>
    public void Send()
    {
        if (_isBroken)
        {
            counters.Lost++;
            (_isBroken, _open) = (false, -1);
        }

        if (_open < 0)
            return;
        message.End();
        if (message.PartCount == 0)
            counters.Lost++;
        for (var i = 0; i < message.PartCount; i++)
        {
            var part = message.Part(i);
            var topic = message.TopicOf(i);
            if (topic.IsEmpty)
                topic = _topics[_open];
            if (output.TrySend(_writers[_open].Description.DataSetWriterId, topic, part.Span))
            {
                counters.Messages++;
                counters.Bytes += part.Length;
            }
            else
            {
                counters.Lost++;
            }
        }

        _open = -1;
    }

    /// <summary>A message of a fixed layout has all frames in their order, or it is none: its number is missing then.
    /// </summary>
    private void AddPlaced(int writer, in DataSetFrame frame)
    {
        if (writer == 0)
        {
            message.Begin(Guid.NewGuid(), _now);
            _open = 0;
        }

        if (_isBroken || !message.TryAdd(frame))
        {
            counters.TooLarge++;
            _isBroken = true;
        }

        _writers[writer].OnSent(FrameKind.KeyFrame, _at);
    }

    /// <summary>Of a frame that is larger than a message: a key frame becomes delta frames, which a subscriber puts
    /// together.</summary>
    private void AddHalves(int writer, ReadOnlySpan<FrameField> fields)
    {
        var half = fields.Length / 2;
        Add(writer, FrameKind.DeltaFrame, fields[..half]);
        Send();
        Add(writer, FrameKind.DeltaFrame, fields[half..]);
        Send();
    }

    /// <summary>A value that fits no message: a subscriber learns that there was one.</summary>
    private void AddTooLarge(int writer, ReadOnlySpan<FrameField> fields)
    {
        counters.TooLarge++;
        if (fields is [{ Value: not null } field])
            Add(
                writer, FrameKind.DeltaFrame,
                [new FrameField(field.Index, null, StatusCodes.BadEncodingLimitsExceeded)]);
    }
}
