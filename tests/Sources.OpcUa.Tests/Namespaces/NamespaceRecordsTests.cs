using Gateway.AddressSpace.Nodes;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Namespaces;

/// <summary>What a NodeId means does not depend on who connects first after a restart.</summary>
public sealed class NamespaceRecordsTests : IDisposable
{
    private const string Standard = "http://opcfoundation.org/UA/";

    private readonly string _folder = Directory.CreateTempSubdirectory("claims-").FullName;
    private readonly SignallingLog _log = new();

    private string FilePath => Path.Combine(_folder, NamespaceRecords.FileName);

    public void Dispose()
    {
        Directory.Delete(_folder, recursive: true);
        _log.Dispose();
    }

    [Fact]
    public void Map_OtherOrderOfConnectingAfterARestart_EachKeepsItsUri()
    {
        var first = new Start(this, "A", "B");
        Assert.Equal("urn:data", first.Serve("B", "urn:data"));
        Assert.Equal("urn:gateway:A:urn:data", first.Serve("A", "urn:data"));

        var second = new Start(this, "A", "B");
        Assert.Equal("urn:gateway:A:urn:data", second.Serve("A", "urn:data"));
        Assert.Equal("urn:data", second.Serve("B", "urn:data"));
    }

    /// <summary>The other has never been seen before, and the owner is still away.</summary>
    [Fact]
    public void Map_UriOfAnUpstreamThatIsAway_NotGiven()
    {
        new Start(this, "A", "B").Serve("A", "urn:data");

        Assert.Equal("urn:gateway:B:urn:data", new Start(this, "A", "B").Serve("B", "urn:data"));
    }

    /// <summary>Clients know by its name that it is B's, also while B is away.</summary>
    [Fact]
    public void Map_UriThatAnotherUpstreamWouldGet_IsKeptForThatOne()
    {
        var first = new Start(this, "A", "B");
        Assert.Equal("urn:gateway:A:urn:gateway:B:urn:x", first.Serve("A", "urn:gateway:B:urn:x"));
        Assert.Equal("urn:x", first.Serve("A", "urn:x"));

        Assert.Equal("urn:gateway:B:urn:x", new Start(this, "A", "B").Serve("B", "urn:x"));
    }

    /// <summary>An upstream that was renamed finds its URIs; one that had to take another URI stays there.</summary>
    [Fact]
    public void Map_OwnerNoLongerConfigured_FreeForAnotherNameAndTheRenamedOneStays()
    {
        var first = new Start(this, "A", "B");
        first.Serve("A", "urn:data");
        first.Serve("B", "urn:data");

        var second = new Start(this, "B", "C");
        Assert.Equal("urn:gateway:B:urn:data", second.Serve("B", "urn:data"));
        Assert.Equal("urn:data", second.Serve("C", "urn:data"));

        Assert.Equal("urn:gateway:A:urn:data", new Start(this, "A", "B", "C").Serve("A", "urn:data"));
    }

    [Fact]
    public void Map_ANodeSetBringsTheUri_Renamed()
    {
        new Start(this, "A").Serve("A", "urn:data");

        var second = new Start(this, "A");
        second.Table.GetOrAdd("urn:data");
        Assert.Equal("urn:gateway:A:urn:data", second.Serve("A", "urn:data"));
    }

    [Fact]
    public void Save_OtherUrisAtEachStart_TheOldestForgotten()
    {
        for (var start = 0; start < 4; start++)
            new Start(this, "A").Serve("A", "urn:" + start);
        new Start(this, "A").Serve("A", "urn:2");
        new Start(this, "A").Serve("A", "urn:4");

        var text = File.ReadAllText(FilePath);
        Assert.DoesNotContain("urn:0", text, StringComparison.Ordinal);
        Assert.DoesNotContain("urn:1", text, StringComparison.Ordinal);
        Assert.Contains("urn:4", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Map_OnlyNamedAndNeverUsed_NotKept()
    {
        new Start(this, "A").Claims.Map("A", [Standard, "urn:data"]);
        Assert.False(File.Exists(FilePath));
    }

    [Theory]
    [InlineData("{")]
    [InlineData("[null]")]
    [InlineData("""[{"upstream":"A"}]""")]
    public void Read_Damaged_NoStartAndTheFileNamed(string text)
    {
        File.WriteAllText(FilePath, text);
        var error = Assert.Throws<InvalidOperationException>(() => new Start(this, "A"));
        Assert.StartsWith($"Pki:Path: '{FilePath}'", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Write_NotPossible_ToldAndServedAllTheSame()
    {
        Directory.CreateDirectory(FilePath + ".new");
        Assert.Equal("urn:data", new Start(this, "A").Serve("A", "urn:data"));
        Assert.Contains(FilePath, await _log.NextAsync(5014), StringComparison.Ordinal);
    }

    private sealed class Start
    {
        private static readonly UpstreamLimits Limits = new() { MaxUpstreamNamespaces = 3 };

        public Start(NamespaceRecordsTests test, params string[] configured) => Claims = new NamespaceClaims(
            Table, Limits,
            new NamespaceRecords(test.FilePath, configured, Limits, test._log.CreateLogger("records")));

        public NamespaceTable Table { get; } = new();

        public NamespaceClaims Claims { get; }

        public string? Serve(string upstream, string uri)
        {
            Assert.True(Claims.Map(upstream, [Standard, uri]).TryToLocal(1, out var index));
            Claims.Save();
            return Table.GetUri(index);
        }
    }
}
