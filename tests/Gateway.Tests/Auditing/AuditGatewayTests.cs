using System.Net;
using System.Text;
using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Gateway.Server;
using Gateway.Tests.Hosting;
using Microsoft.AspNetCore.Builder;

namespace Gateway.Tests.Auditing;

/// <summary>The audit trail in the whole gateway: where it lies, and that no secret is in it.</summary>
public sealed class AuditGatewayTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Stop_AfterALogin_TheTrailHasItWithoutTheSecretAndIsWhole()
    {
        const string Secret = "correct horse battery";
        await using (var gateway = await StartAsync())
        {
            await gateway.Get<GatewayServer>().Logins.CheckAsync(
                "anna", Encoding.UTF8.GetBytes(Secret), IPAddress.Loopback, CancellationToken.None);
            await gateway.StopAsync();
        }

        var folder = Path.Combine(_folder, "audit");
        var text = await File.ReadAllTextAsync(Path.Combine(folder, "audit-0000000001.jsonl"));
        Assert.Contains("\"kind\":\"LoginRefused\"", text, StringComparison.Ordinal);
        Assert.Contains("\"user\":\"anna\"", text, StringComparison.Ordinal);
        Assert.Contains("\"kind\":\"Stopped\"", text, StringComparison.Ordinal);
        Assert.DoesNotContain(Secret, text, StringComparison.Ordinal);
        using var output = new StringWriter();
        Assert.Equal(0, AuditVerb.Run(["verify", folder], output, TextWriter.Null));
    }

    [Fact]
    public async Task Start_Disabled_MakesNoFolder()
    {
        await using (var gateway = await StartAsync("--Audit:Enabled=false"))
            await gateway.StopAsync();
        Assert.False(Directory.Exists(Path.Combine(_folder, "audit")));
    }

    [Theory]
    [InlineData("--Audit:MaxFileBytes=10", "Audit:MaxFileBytes: 10 is less than 65536")]
    [InlineData("--Audit:MaxBytes=8388608", "Audit:MaxBytes: 8388608 is less than two files of Audit:MaxFileBytes")]
    public void Options_Wrong_AreNamed(string argument, string expected) => Assert.Contains(
        expected, new GatewayOptions(new ConfigurationSource([argument]).Read()).FindErrors());

    private async Task<WebApplication> StartAsync(params string[] options)
    {
        var gateway = Composition.Build(
            TimeProvider.System, ["--demo", $"--Pki:Path={_folder}", "--Simulator:ChangesPerSecond=0", .. options]);
        await gateway.StartAsync();
        return gateway;
    }
}
