using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>Each scalar built-in type and its array, read, written and read back by node-opcua's client.</summary>
[Collection(nameof(DemoCollection))]
public sealed class ValueTests(DemoGatewayFixture fixture)
{
    private const int ScalarTypes = 21;

    [PeerFact]
    public async Task Write_EachTypeAndArray_IsReadBackUnchanged()
    {
        JsonElement result = await fixture.RunAsync("values.js", new { });

        List<JsonElement> trips = [.. result.GetProperty("trips").EnumerateArray()];
        Assert.Equal(ScalarTypes * 4, trips.Count);
        Assert.All(trips, trip =>
        {
            Assert.Equal("Good", trip.GetProperty("readStatus").GetString());
            Assert.Equal("Good", trip.GetProperty("write").GetString());
            Assert.Equal(trip.GetProperty("sent").GetString(), trip.GetProperty("received").GetString());
            Assert.NotNull(trip.GetProperty("sourceTimestamp").GetString());
            string nodeId = trip.GetProperty("nodeId").GetString()!;
            Assert.Equal(nodeId.EndsWith("[]", StringComparison.Ordinal), trip.GetProperty("readIsArray").GetBoolean());
            Assert.Equal(nodeId.Split(";s=")[1].TrimEnd('[', ']'), trip.GetProperty("readType").GetString());
        });
    }

    [PeerFact]
    public async Task ReadAndWrite_WrongTypeReadOnlyUnknownAndRange_AnswerAsTheStandardSays()
    {
        JsonElement result = await fixture.RunAsync("values.js", new { });

        Assert.Equal("BadTypeMismatch", result.GetProperty("wrongType").GetString());
        Assert.Equal("BadNotWritable", result.GetProperty("readOnly").GetString());
        Assert.Equal("BadNodeIdUnknown", result.GetProperty("unknown").GetString());
        Assert.Equal([20, 30], result.GetProperty("range").EnumerateArray().Select(value => value.GetInt32()));
        JsonElement attributes = result.GetProperty("attributes");
        Assert.Equal(2, attributes.GetProperty("nodeClass").GetInt32());
        Assert.Equal("ns=0;i=6", attributes.GetProperty("dataType").GetString());
        Assert.Equal(-1, attributes.GetProperty("valueRank").GetInt32());
    }
}
