using System.Text.RegularExpressions;
using Microsoft.Extensions.Configuration;

namespace Gateway.Tests.Configuration;

/// <summary>The image is made from what was looked at, and serves what it publishes.</summary>
public sealed partial class DockerfileTests
{
    private static readonly string[] Lines = File.ReadAllLines(Path.Combine(Root(), "Dockerfile"));

    [Fact]
    public void BaseImages_All_PinnedByDigest()
    {
        var images = Lines.Where(line => line.StartsWith("FROM ", StringComparison.Ordinal)).ToList();

        Assert.Equal(3, images.Count);
        Assert.All(images, line => Assert.Matches(Pinned(), line));
    }

    /// <summary>Http:Address is loopback by default, which a published port does not reach.</summary>
    [Fact]
    public void Environment_Http_ListensOnAllAddresses()
    {
        var variables =
            from line in Lines
            where line.StartsWith("ENV ", StringComparison.Ordinal)
            from pair in line[4..].Split(' ', StringSplitOptions.RemoveEmptyEntries)
            select pair.Split('=');
        var configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(variables.Select(pair => KeyValuePair.Create(
                pair[0].Replace("__", ":", StringComparison.Ordinal), (string?)pair[1])))
            .Build();

        var settings = SettingsOf.TryRead(configuration, out var errors);

        Assert.Empty(errors);
        Assert.Equal(settings!.OpcUaEndPoint.Address, settings.HttpEndPoint.Address);
    }

    private static string Root()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Gateway.sln")))
            folder = Path.GetDirectoryName(folder)!;
        return folder;
    }

    [GeneratedRegex(
        "^FROM (--platform=\\$BUILDPLATFORM )?" +
        "(mcr\\.microsoft\\.com/[a-z/]+:10\\.0[a-z-]*|node:22-bookworm-slim)@sha256:[0-9a-f]{64}( AS [a-z]+)?$")]
    private static partial Regex Pinned();
}
