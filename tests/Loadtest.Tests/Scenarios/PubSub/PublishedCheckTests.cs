using System.Text;
using Gateway.Loadtest.Scenarios.PubSub;

namespace Gateway.Loadtest.Tests.Scenarios.PubSub;

/// <summary>A check that would miss a loss would make every run look good.</summary>
public sealed class PublishedCheckTests
{
    private readonly PublishedCheck _check = new(writers: 1, tags: 2, sequenceMask: ushort.MaxValue);

    [Fact]
    public void Add_NextValues_NothingIsWrong()
    {
        Take(65535, FrameKind.KeyFrame, (0, 7), (1, 3));
        Take(0, FrameKind.DeltaFrame, (0, 8));
        Take(1, FrameKind.KeyFrame, (0, 8), (1, 4));

        Assert.Equal((3, 5, 1), (_check.Messages, _check.Fields, _check.Unchanged));
        Assert.Equal((0, 0, 0), (_check.SequenceGaps, _check.Counters.Missing, _check.Counters.Repeats));
    }

    [Fact]
    public void Add_AMessageIsMissing_ItsNumberAndItsValuesAreCounted()
    {
        Take(1, FrameKind.DeltaFrame, (0, 7));
        Take(4, FrameKind.DeltaFrame, (0, 10));

        Assert.Equal((1, 2), (_check.SequenceGaps, _check.Counters.Missing));
    }

    [Fact]
    public void Add_AMessageComesAgain_ItIsDroppedAndCounted()
    {
        Take(1, FrameKind.DeltaFrame, (0, 7));
        Take(2, FrameKind.DeltaFrame, (0, 8));
        Take(1, FrameKind.DeltaFrame, (0, 7));

        Assert.Equal((1, 2), (_check.Again, _check.Fields));
        Assert.Equal((0, 0), (_check.SequenceGaps, _check.Counters.Reorders));
    }

    [Fact]
    public void Add_AValueTwiceInDeltaFrames_IsARepeat()
    {
        Take(1, FrameKind.DeltaFrame, (0, 7));
        Take(2, FrameKind.DeltaFrame, (0, 7));

        Assert.Equal(1, _check.Counters.Repeats);
    }

    [Fact]
    public void Json_AMessageOfTheGateway_IsRead()
    {
        const string Message = """
            {"MessageId":"x","MessageType":"ua-data","PublisherId":"p","WriterGroupName":"g","Messages":{
            "DataSetWriterId":1,"SequenceNumber":5,"MetaDataVersion":{"MajorVersion":1,"MinorVersion":2},
            "Timestamp":"2026-11-23T13:57:44.0214394Z","MessageType":"ua-deltaframe","Payload":{
            "Tag1":{"UaType":11,"Value":9,"SourceTimestamp":"2026-11-23T13:57:43.5497686Z"},
            "Tag0":{"Value":4.0,"SourceTimestamp":"2026-11-23T13:57:43.5497686Z"}}}}
            """;

        Assert.True(new JsonDecoder().TryRead(Encoding.UTF8.GetBytes(Message), _check));
        Assert.Equal((4, 9), (_check.Counters.LastOf(0), _check.Counters.LastOf(1)));
        Assert.Equal((1, 0), (_check.Messages, _check.KeyFrames));
    }

    [Fact]
    public void Uadp_WhatIsNoMessage_IsRefused()
    {
        Assert.False(new UadpDecoder(2).TryRead([0x01, 0x02, 0x03], _check));
        Assert.Equal(0, _check.Messages);
    }

    private void Take(uint sequence, FrameKind kind, params (int Tag, double Value)[] fields)
    {
        _check.Begin(1, sequence, kind);
        foreach (var (tag, value) in fields)
            _check.Add(tag, value, default);
    }
}
