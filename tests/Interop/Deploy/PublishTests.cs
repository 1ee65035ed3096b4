using System.Text.Json.Nodes;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Deploy;

/// <summary>tools/publish.mjs makes a folder that a 64-bit ARM can start without a runtime of its own. This machine
/// cannot start it: docs/install.md says how it was started by hand.</summary>
public sealed class PublishTests : IDisposable
{
    private const int MachineOffset = 18;
    private const byte Arm64 = 183;

    /// <summary>What docs/install.md says.</summary>
    private const long MostBytes = 140_000_000;

    private readonly TemporaryFolder folder = new();

    public void Dispose() => folder.Dispose();

    [PeerFact]
    public async Task Publish_ForArm_IsForArmWithTheRuntimeAndItsSbom()
    {
        string target = folder.Sub("published");

        (int code, string output, string error) =
            await DeployFiles.ToolAsync("publish.mjs", target, "linux-arm64");

        Assert.True(code == 0, output + error);
        string place = Path.Combine(target, "linux-arm64");
        foreach (string file in (string[])["Gateway.Gateway", "libcoreclr.so", "libSystem.Native.so"])
        {
            byte[] head = await HeadAsync(Path.Combine(place, file));
            Assert.Equal("\u007FELF"u8.ToArray(), head[..4]);
            Assert.Equal(Arm64, head[MachineOffset]);
        }

        Assert.Equal(
            "CycloneDX",
            (string?)JsonNode.Parse(await File.ReadAllTextAsync(Path.Combine(place, "sbom.json")))!["bomFormat"]);
        Assert.InRange(
            Directory.EnumerateFiles(place, "*", SearchOption.AllDirectories)
                .Sum(static file => new FileInfo(file).Length),
            0, MostBytes);
    }

    private static async Task<byte[]> HeadAsync(string file)
    {
        byte[] head = new byte[20];
        await using FileStream stream = File.OpenRead(file);
        await stream.ReadExactlyAsync(head);
        return head;
    }
}
