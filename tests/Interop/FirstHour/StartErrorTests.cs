using System.Net;
using System.Net.Sockets;

namespace Gateway.Interop.FirstHour;

/// <summary>What a new user gets wrong at the start: one line with key, value and what is wrong, and exit code 1; never
/// a stack trace.</summary>
public sealed class StartErrorTests : IDisposable
{
    private readonly CleanHome home = new();

    public void Dispose() => home.Dispose();

    [Theory]
    [InlineData("OpcUa", "UA-TCP")]
    [InlineData("Http", "HTTP")]
    public async Task Start_PortInUse_NamesTheKeyThePortAndTheDoor(string section, string door)
    {
        using TcpListener other = new(IPAddress.Loopback, 0);
        other.Start();
        int port = ((IPEndPoint)other.LocalEndpoint).Port;

        string error = await FailAsync($"--{section}:Port={port} --{section}:Address=127.0.0.1");

        Assert.StartsWith($"The gateway cannot start: {section}:Port: '{port}' is in use", error);
        Assert.Contains(door, error);
    }

    [Theory]
    [InlineData("OpcUa")]
    [InlineData("Http")]
    public async Task Start_AddressOfAnotherMachine_NamesTheKeyAndTheAddress(string section)
    {
        string error = await FailAsync($"--{section}:Address=192.0.2.1");

        Assert.StartsWith(
            $"The gateway cannot start: {section}:Address: '192.0.2.1' is no address of this machine", error);
    }

    [Fact]
    public async Task Start_BrokenFile_NamesTheFileAndTheLine()
    {
        string file = Path.Combine(home.Clone, "appsettings.json");
        File.WriteAllText(file, "{\n  \"OpcUa\": {\n    \"Port\": 4840\n    \"Address\": \"any\"\n  }\n}\n");

        string[] lines = (await FailAsync("", lines: 2)).Split('\n');

        Assert.StartsWith($"  {file}: line 4, column 5: ", lines[1]);
    }

    [Fact]
    public async Task Start_PkiPathIsAFile_NamesTheKeyAndThePath()
    {
        string file = Path.Combine(home.Clone, "mypki");
        File.WriteAllText(file, "");

        string[] lines = (await FailAsync("--Pki:Path=mypki", lines: 2)).Split('\n');

        Assert.Equal($"  Pki:Path: '{file}' is a file, not a folder", lines[1]);
    }

    [Fact]
    public async Task Start_FolderInThePkiIsAFile_NamesTheKeyAndThePath()
    {
        Directory.CreateDirectory(home.Pki);
        File.WriteAllText(Path.Combine(home.Pki, "own"), "");

        string error = await FailAsync("");

        Assert.StartsWith($"The gateway cannot start: Pki:Path: '{home.Pki}' cannot be used", error);
    }

    /// <summary>All at once.</summary>
    [Fact]
    public async Task Start_MisspeltKeys_EachIsALineWithTheKeyThatWasMeant()
    {
        File.WriteAllText(
            Path.Combine(home.Clone, "appsettings.json"), """{ "Anonymus": { "Enabled": false } }""");

        string[] lines = (await FailAsync(
            "--demoo --AutoTrust=true --Limits:MaxSessionTimeout=3600", lines: 5)).Split('\n');

        Assert.Contains(lines, line => line.EndsWith("did you mean Anonymous:Enabled?", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.EndsWith("did you mean --demo?", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.EndsWith("did you mean Pki:AutoTrust?", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.Contains("write 01:00:00", StringComparison.Ordinal));
    }

    private async Task<string> FailAsync(string arguments, int lines = 1)
    {
        (int code, string output, string error) = await home.RunAsync($"{Readme.RunCommand} {arguments}");

        Assert.True(code == 1, $"exit code {code}\n{output}\n{error}");
        Assert.DoesNotContain("   at ", output + error, StringComparison.Ordinal);
        string text = error.TrimEnd('\n');
        Assert.True(text.Split('\n').Length == lines, text);
        return text;
    }
}
