using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Groups;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Tests.DataSets;

namespace Gateway.PubSub.Tests.Groups;

public sealed class DataSetWriterTests : IDisposable
{
    private readonly Plant _plant = new Plant().AddTag("A").AddTag("B");
    private readonly List<SharedValue> _values = [];
    private readonly PublishedDataSet _dataSet;
    private readonly DataSetWriter _writer;

    public DataSetWriterTests()
    {
        _dataSet = _plant.Publish(new DataSetOptions
        {
            Name = "tags",
            Nodes = ["ns=1;s=A", "ns=1;s=B"],
            KeyFrameCount = 3,
        });
        _writer = WriterOf(_dataSet);
        _writer.Change(_dataSet.Layout, [-1, -1]);
    }

    public void Dispose() => _dataSet.Dispose();

    [Fact]
    public void FieldsOf_FirstChange_AKeyFrameWithWhatIsKnown()
    {
        Take(1, 7);

        Assert.Equal(["KeyFrame 0=BadWaitingForInitialData 1=7"], Send());
    }

    /// <summary>No change is lost, and each message has what was true at its time.</summary>
    [Fact]
    public void FieldsOf_SeveralChangesOfAField_AMessageEach()
    {
        Take(0, 1);
        Send();

        Take(0, 2);
        Take(1, 20);
        Take(0, 3);
        Take(0, 4);
        Take(1, 30);

        Assert.Equal(["DeltaFrame 0=2 1=20", "DeltaFrame 0=3 1=30", "DeltaFrame 0=4"], Send());
    }

    [Fact]
    public void FieldsOf_MoreChangesThanABytes_AMessageEach()
    {
        for (var i = 0; i < 1_000; i++)
            Take(0, i);

        var frames = Send();

        Assert.Equal("KeyFrame 0=0 1=BadWaitingForInitialData", frames[0]);
        Assert.Equal(Enumerable.Range(1, 999).Select(i => $"DeltaFrame 0={i}"), frames.Skip(1));
    }

    [Fact]
    public void FieldsOf_KeyFrameDue_HasTheFieldsThatDidNotChange()
    {
        Take(0, 1);
        Take(1, 2);
        Send();
        for (var i = 0; i < 3; i++)
            _writer.CountInterval();
        Assert.True(_writer.IsKeyFrameDue);

        Take(1, 3);

        Assert.Equal(["KeyFrame 0=1 1=3"], Send());
        Assert.False(_writer.IsKeyFrameDue);
    }

    /// <summary>A key frame count of 1: each message is one.</summary>
    [Fact]
    public void FieldsOf_KeyFramesOnly_EachRoundIsOne()
    {
        using var dataSet = _plant.Publish(
            new DataSetOptions { Name = "keys", Nodes = ["ns=1;s=A", "ns=1;s=B"], KeyFrameCount = 1 });
        var writer = WriterOf(dataSet);
        writer.Change(dataSet.Layout, [-1, -1]);
        Take(0, 1, writer);
        Take(0, 2, writer);
        Take(1, 3, writer);

        Assert.Equal(["KeyFrame 0=1 1=3", "KeyFrame 0=2 1=3"], Send(writer));
    }

    [Fact]
    public void OnSent_KeepAlive_HasTheNextNumberAndIsNotCounted()
    {
        _writer.OnSent(FrameKind.KeepAlive, 1);
        Assert.Equal((0u, 0L, (long?)1), (_writer.NextSequence, _writer.Messages, _writer.SentAt));

        _writer.OnSent(FrameKind.DeltaFrame, 2);
        Assert.Equal((1u, 1L, (long?)2), (_writer.NextSequence, _writer.Messages, _writer.SentAt));
    }

    [Fact]
    public void Change_FieldsMove_TheirValuesGoWithThem()
    {
        Take(0, 1);
        Take(1, 2);
        Send();
        using var other = _plant.Publish("ns=1;s=B", "ns=1;s=Gone");

        _writer.Change(other.Layout, [1, -1]);

        Assert.True(_writer.IsKeyFrameDue);
        Assert.Equal("0=2 1=BadNodeIdUnknown", Text(_writer.AllFields));
        Assert.Equal(other.Layout.MetaData, _writer.Description.MetaData);
    }

    /// <summary>Each value goes back to its pool: none is held too long, none is released twice (an assert of the
    /// pool).</summary>
    [Fact]
    public void Release_AfterChangesAndLayouts_AllValuesAreBack()
    {
        for (var i = 0; i < 10; i++)
        {
            Take(0, i);
            Take(1, -i);
            Take(0, i + 0.5);
            Send();
        }

        using var other = _plant.Publish("ns=1;s=B");
        _writer.Change(other.Layout, [1]);
        Take(0, 100);
        Send();
        _writer.Release();

        Assert.Equal(_plant.Values.CreatedValues, _plant.Values.IdleValues + _plant.Values.DiscardedValues + Stored);
    }

    /// <summary>Values that nodes of the standard have.</summary>
    private long Stored { get; set; }

    private static DataSetWriter WriterOf(PublishedDataSet dataSet) => new(dataSet, new WriterDescription
    {
        Name = "w",
        DataSetWriterId = 1,
        MetaData = dataSet.Layout.MetaData,
    });

    private void Take(int field, double value, DataSetWriter? writer = null)
    {
        if (_values.Count == 0 && Stored == 0)
            Stored = _plant.Values.CreatedValues - _plant.Values.IdleValues - _plant.Values.DiscardedValues;
        var shared = _plant.Values.Make(new DataValue(new Variant(value)));
        _values.Add(shared);
        (writer ?? _writer).Take(field, shared, StatusCode.Good);
    }

    private string[] Send(DataSetWriter? of = null)
    {
        var writer = of ?? _writer;
        var frames = new string[writer.Rounds];
        for (var round = 0; round < frames.Length; round++)
        {
            var fields = writer.FieldsOf(round, out var kind);
            frames[round] = $"{kind} {Text(fields)}";
            writer.OnSent(kind, 1);
        }

        writer.EndMessages();
        _values.ForEach(static value => value.Release());
        _values.Clear();
        return frames;
    }

    private static string Text(ReadOnlySpan<FrameField> fields)
    {
        var all = new List<string>();
        foreach (ref readonly var field in fields)
            all.Add(FormattableString.Invariant($"{field.Index}={(object?)field.Value?.Numeric ?? field.Status}"));
        return string.Join(' ', all);
    }
}
