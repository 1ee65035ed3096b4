using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

public sealed class AnonymousDisabledTests
{
    [PeerFact]
    public async Task Anonymous_SwitchedOff_IsRefused()
    {
        using TemporaryFolder folder = new();
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder,
            "--Pki:AutoTrust=true", "--Anonymous:Enabled=false", "--Users:0:Name=operator",
            "--Users:0:Password=correct horse", "--Users:0:Roles:0=Operator");

        JsonElement attempt = (await PeerProcess.RunAsync("users.js", PeerArguments.Create(folder, client,
            gateway.EndpointUrl, new { cases = new[] { new { name = "anonymous", kind = "Anonymous" } } })))
            .GetProperty("attempts")[0];

        Assert.False(attempt.GetProperty("ok").GetBoolean(), attempt.ToString());
    }
}
