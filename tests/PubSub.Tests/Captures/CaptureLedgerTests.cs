using Gateway.PubSub.Captures;

namespace Gateway.PubSub.Tests.Captures;

/// <summary>What is missing in a capture, and what is not.</summary>
public sealed class CaptureLedgerTests
{
    private readonly CaptureLedger _ledger = new();

    [Fact]
    public void Messages_AllThere_NothingMissing()
    {
        foreach (var number in new[] { 7u, 8u, 9u })
            Add(number);

        var writer = Assert.Single(_ledger.Writers);
        Assert.Equal("p/g/w (3)", writer.Key);
        Assert.Equal((3, 0), (writer.Value.Messages, writer.Value.Restarts));
        Assert.Empty(writer.Value.Missing);
    }

    [Fact]
    public void Messages_SomeMissing_Ranges()
    {
        foreach (var number in new[] { 0u, 1u, 4u, 5u, 9u })
            Add(number);

        Assert.Equal([(2u, 3u), (6u, 8u)], _ledger.Writers["p/g/w (3)"].Missing);
    }

    [Fact]
    public void Repeats_OfKnownMessageIds_CountOnce()
    {
        Add(0, id: "a");
        Add(1, id: "b");
        Add(0, id: "a");

        Assert.Equal((1, 2), (_ledger.Repeats, _ledger.Writers["p/g/w (3)"].Messages));
        Assert.Equal(0, _ledger.Writers["p/g/w (3)"].Restarts);
    }

    [Fact]
    public void Restart_NumbersFromZero_ARunOfItsOwn()
    {
        foreach (var number in new[] { 5u, 6u, 0u, 1u, 3u })
            Add(number);

        Assert.Equal(1, _ledger.Writers["p/g/w (3)"].Restarts);
        Assert.Equal([(2u, 2u)], _ledger.Writers["p/g/w (3)"].Missing);
    }

    [Fact]
    public void KeepAlive_HasTheNextNumber_IsNoMessage()
    {
        Add(0);
        Add(1, type: "ua-keepalive");
        Add(1);

        Assert.Equal(2, _ledger.Writers["p/g/w (3)"].Messages);
        Assert.Empty(_ledger.Writers["p/g/w (3)"].Missing);
    }

    [Fact]
    public void Batch_OfTwoWriters_EachItsOwn()
    {
        _ledger.Add("""
            {"MessageId":"1","MessageType":"ua-data","PublisherId":"p","WriterGroupName":"g","Messages":[
            {"DataSetWriterId":1,"SequenceNumber":4},{"DataSetWriterId":2,"SequenceNumber":9}]}
            """);

        Assert.Equal(["p/g/ (1)", "p/g/ (2)"], _ledger.Writers.Keys);
    }

    [Theory]
    [InlineData("")]
    [InlineData("opcua/json/status/p")]
    [InlineData("{")]
    [InlineData("{}")]
    [InlineData("{\"MessageType\":\"ua-metadata\",\"MessageId\":\"1\"}")]
    [InlineData("{\"MessageType\":\"ua-data\",\"MessageId\":\"1\",\"Messages\":7}")]
    [InlineData("{\"MessageType\":\"ua-data\",\"MessageId\":\"1\",\"Messages\":{\"DataSetWriterId\":99999}}")]
    public void Line_ThatIsNoData_Counted(string line)
    {
        _ledger.Add(line);

        Assert.Equal(1, _ledger.Others);
        Assert.Empty(_ledger.Writers);
    }

    private void Add(uint number, string? id = null, string type = "ua-deltaframe") => _ledger.Add($$$$"""
        opcua/json/data/p/g/w {"MessageId":"{{{{id ?? Guid.NewGuid().ToString()}}}}","MessageType":"ua-data",
        "PublisherId":"p","WriterGroupName":"g","Messages":{"DataSetWriterId":3,"DataSetWriterName":"w",
        "SequenceNumber":{{{{number}}}},"MessageType":"{{{{type}}}}","Payload":{}}}
        """);
}
