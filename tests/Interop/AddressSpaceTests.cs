using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>The whole address space browsed from Root by node-opcua's client.</summary>
[Collection(nameof(DemoCollection))]
public sealed class AddressSpaceTests(DemoGatewayFixture fixture)
{
    /// <summary>Of some 5,000; those that nobody serves are taken out.</summary>
    private const int StandardNodes = 4800;

    [PeerFact]
    public async Task Browse_FromRoot_HasNoDanglingReferenceAndAllOfTheServerObject()
    {
        JsonElement result = await fixture.RunAsync("browse.js", new { });

        Assert.Empty(Texts(result, "dangling"));
        Assert.Empty(Texts(result, "unreadable"));
        Assert.Empty(Texts(result, "oneSided"));
        // The standard shows it to a SecurityAdmin alone (RolePermissions of i=3708).
        Assert.Equal(
            ["Server/ServerDiagnostics/SessionsDiagnosticsSummary/SessionSecurityDiagnosticsArray"],
            Texts(result, "missingOfServer"));
        Assert.Equal(0, result.GetProperty("variablesWithoutDataType").GetInt32());
        JsonElement counts = result.GetProperty("counts");
        Assert.InRange(counts.GetProperty("http://opcfoundation.org/UA/").GetInt32(), StandardNodes, int.MaxValue);
        Assert.InRange(counts.GetProperty(PeerArguments.SimulatorUri).GetInt32(), 1000, int.MaxValue);
        Assert.Equal(PeerArguments.SimulatorUri, result.GetProperty("namespaceArray")[2].GetString());
    }

    private static IEnumerable<string?> Texts(JsonElement result, string name) =>
        result.GetProperty(name).EnumerateArray().Select(item => item.GetString());
}
