using System.Text;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Rest.Services;
using Gateway.Server;

namespace Gateway.Rest.Tests.Services;

/// <summary>The paths of the OpenAPI mapping, by name.</summary>
public sealed class ServiceRoutesTests
{
    private const string Paths =
        "read write call historyread historyupdate browse browsenext translate findservers getendpoints " +
        "createsession activatesession closesession cancel registernodes unregisternodes createmonitoreditems " +
        "modifymonitoreditems setmonitoringmode settriggering deletemonitoreditems createsubscription " +
        "modifysubscription setpublishingmode publish republish transfersubscriptions deletesubscriptions";

    [Fact]
    public void All_OfTheMapping_EachOnce() =>
        Assert.Equal(Paths.Split(' '), ServiceRoutes.All.Select(static route => route.Path));

    [Fact]
    public void All_Requests_ServiceOfThePath() => Assert.All(
        ServiceRoutes.All,
        static route => Assert.StartsWith(
            route.Path == "translate" ? "translatebrowsepathstonodeids" : route.Path + "request",
            route.Request.Name.ToLowerInvariant(), StringComparison.Ordinal));

    /// <summary>R44: a small text does not become many operations that are refused afterwards.</summary>
    [Fact]
    public void Read_MoreOperationsThanTheServiceTakes_RefusedBeforeTheyAreMade()
    {
        var route = ServiceRoutes.All.Single(static one => one.Path == "browse");
        var body = Encoding.ASCII.GetBytes($$"""
            {"RequestHeader":{"RequestHandle":7},
            "NodesToBrowse":[{{string.Join(',', Enumerable.Repeat("{}", 300_000))}}]}
            """);
        using var message = new PooledBuffer();
        var meter = DecodeMeter.Rent(new DecodeBudget(64 * 1024 * 1024), null);
        var reader = new UaJsonReader(body, meter: meter)
        {
            MaxOperations = route.MaxOperationsOf(new ServerLimits(), new PublishLimits()),
        };
        var writer = new UaBinaryWriter(message);

        var header = route.Read(ref reader, ref writer);

        Assert.Equal(StatusCodes.BadTooManyOperations, reader.Status.Code);
        Assert.Equal(7u, header.RequestHandle);
        Assert.InRange(meter.UsedBytes, 0, 256 * 1024);
        Assert.Equal(0, message.Length);
        meter.Return();
    }

    /// <summary>Arrays in operations are no operations.</summary>
    [Fact]
    public void Read_LongValueInOneOperation_Taken()
    {
        var route = ServiceRoutes.All.Single(static one => one.Path == "write");
        var body = Encoding.ASCII.GetBytes($$$"""
            {"NodesToWrite":[{"NodeId":"i=1","AttributeId":13,"Value":{"UaType":3,
            "Value":[{{{string.Join(',', Enumerable.Repeat("1", 20_000))}}}]}}]}
            """);
        using var message = new PooledBuffer();
        var reader = new UaJsonReader(body)
        {
            MaxOperations = route.MaxOperationsOf(new ServerLimits(), new PublishLimits()),
        };
        var writer = new UaBinaryWriter(message);

        route.Read(ref reader, ref writer);

        Assert.False(reader.Failed, reader.Problem);
    }
}
