using Gateway.Codec.Types;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Services;

/// <summary>Discovery and View over HTTP, without a session.</summary>
[Collection(RestFixture.Name)]
public sealed class ViewTests(RestFixture fixture)
{
    private const string Objects =
        """{"RequestedMaxReferencesPerNode":{0},"NodesToBrowse":[{"NodeId":"i=85","ResultMask":63}]}""";

    private readonly RestGateway _gateway = fixture.Gateway;

    [Fact]
    public async Task Browse_Objects_ServerAndSimulator()
    {
        var (http, json) = await _gateway.Observer.CallAsync("browse", BrowseOf(0));

        Assert.Equal(200, http);
        var references = json.GetProperty("Results")[0].GetProperty("References").EnumerateArray()
            .Select(static one => one.GetProperty("NodeId").GetString());
        Assert.Contains("i=2253", references);
        Assert.Contains("nsu=urn:gateway:simulator;s=Plant", references);
    }

    [Fact]
    public async Task BrowseNext_InALaterRequest_GoesOnForItsUserAlone()
    {
        var (_, json) = await _gateway.Observer.CallAsync("browse", BrowseOf(1));
        var point = json.GetProperty("Results")[0].GetProperty("ContinuationPoint").GetString();
        var next = $$"""{"ContinuationPoints":["{{point}}"]}""";

        var (_, other) = await _gateway.Operator.CallAsync("browsenext", next);
        Assert.Equal(
            StatusCodes.BadContinuationPointInvalid, other.GetProperty("Results")[0].CodeOf("StatusCode"));
        var (_, own) = await _gateway.Observer.CallAsync("browsenext", next);
        Assert.Equal(1, own.GetProperty("Results")[0].GetProperty("References").GetArrayLength());
        var (_, again) = await _gateway.Observer.CallAsync("browsenext", next);
        Assert.Equal(
            StatusCodes.BadContinuationPointInvalid, again.GetProperty("Results")[0].CodeOf("StatusCode"));
    }

    [Fact]
    public async Task Translate_PathOfTheSimulator_ItsNode()
    {
        var (http, json) = await _gateway.Observer.CallAsync(
            "translate",
            """
            {"BrowsePaths":[{"StartingNode":"i=84","RelativePath":{"Elements":[
              {"ReferenceTypeId":"i=33","IncludeSubtypes":true,"TargetName":"Objects"},
              {"ReferenceTypeId":"i=33","IncludeSubtypes":true,"TargetName":"2:Simulator"},
              {"ReferenceTypeId":"i=33","IncludeSubtypes":true,"TargetName":"nsu=urn:gateway:simulator;Methods"}]}}]}
            """);

        Assert.Equal(200, http);
        Assert.Equal(
            "nsu=urn:gateway:simulator;s=Methods",
            json.GetProperty("Results")[0].GetProperty("Targets")[0].GetProperty("TargetId").GetString());
    }

    [Fact]
    public async Task FindServers_Asked_TheGateway()
    {
        var (http, json) = await _gateway.Observer.CallAsync("findservers", "{}");

        Assert.Equal(200, http);
        Assert.StartsWith(
            "urn:", json.GetProperty("Servers")[0].GetProperty("ApplicationUri").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task GetEndpoints_Asked_ThoseOfUaTcp()
    {
        var (http, json) = await _gateway.Observer.CallAsync(
            "getendpoints", """{"EndpointUrl":"opc.tcp://plant:4840"}""");

        Assert.Equal(200, http);
        var endpoint = json.GetProperty("Endpoints")[0];
        Assert.Equal("opc.tcp://plant:4840", endpoint.GetProperty("EndpointUrl").GetString());
        Assert.True(endpoint.GetProperty("UserIdentityTokens").GetArrayLength() > 0);
    }

    /// <summary>Part 4 §6.3: what has a caller's state needs a session.</summary>
    [Theory]
    [InlineData("registernodes", """{"NodesToRegister":["i=85"]}""")]
    [InlineData("unregisternodes", """{"NodesToUnregister":["i=85"]}""")]
    [InlineData("createsubscription", "{}")]
    [InlineData("modifysubscription", "{}")]
    [InlineData("setpublishingmode", "{}")]
    [InlineData("publish", "{}")]
    [InlineData("republish", "{}")]
    [InlineData("transfersubscriptions", "{}")]
    [InlineData("deletesubscriptions", "{}")]
    [InlineData("createmonitoreditems", "{}")]
    [InlineData("modifymonitoreditems", "{}")]
    [InlineData("setmonitoringmode", "{}")]
    [InlineData("settriggering", "{}")]
    [InlineData("deletemonitoreditems", "{}")]
    [InlineData("cancel", "{}")]
    [InlineData("activatesession", "{}")]
    [InlineData("closesession", "{}")]
    public async Task ServiceOfASession_WithoutOne_Refused(string service, string body)
    {
        var (http, json) = await _gateway.Operator.CallAsync(service, body);

        Assert.Equal((200, StatusCodes.BadSessionIdInvalid), (http, json.ResultOf()));
    }

    private static string BrowseOf(int most) => Objects.Replace("{0}", $"{most}", StringComparison.Ordinal);
}
