using System.Text.Json;
using Gateway.Loadtest.Peers;
using Gateway.Loadtest.Scenarios;

namespace Gateway.Loadtest.Tests.Peers;

public sealed class NodeOpcuaServerTests
{
    [Theory]
    [InlineData(1000, 1000, 1000)]
    [InlineData(20_000, 20_000, 1000)]
    [InlineData(1000, 10_000, 100)]
    [InlineData(1, 1, 1000)]
    public void Arguments_OfAPlant_ChangeItsTagsAsOften(int tags, int changes, int everyMs)
    {
        using var json = JsonDocument.Parse(NodeOpcuaServer.Arguments(
            "pki", 27000, new Plant { Tags = tags, ChangesPerSecond = changes }, maxSessions: 80));

        Assert.Equal(everyMs, json.RootElement.GetProperty("changeMs").GetInt32());
        Assert.Equal(tags, json.RootElement.GetProperty("tags").GetInt32());
        Assert.True(json.RootElement.GetProperty("capabilities").GetProperty("maxSessions").GetInt32() > 80);
    }

    [Fact]
    public void Arguments_WritableTags_AreAskedForInTheNamespaceThatAWriteNames()
    {
        using var json = JsonDocument.Parse(NodeOpcuaServer.Arguments(
            "pki", 27000, new Plant { WritableTags = 7 }, maxSessions: 80));

        var writable = json.RootElement.GetProperty("writable");
        Assert.Equal(7, writable.GetProperty("count").GetInt32());
        Assert.Equal(WriteTags.NamespaceUri, writable.GetProperty("uri").GetString());
    }

    [Fact]
    public void Find_WithoutItsPackages_SaysWhichCommandIsMissing()
    {
        var folder = Directory.CreateTempSubdirectory();
        try
        {
            File.WriteAllText(Path.Combine(folder.FullName, "server.js"), string.Empty);

            var missing = Assert.Throws<InvalidOperationException>(() => PeerFolder.Find(folder.FullName));

            Assert.Contains("npm ci", missing.Message, StringComparison.Ordinal);
            Assert.Contains(folder.FullName, missing.Message, StringComparison.Ordinal);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
