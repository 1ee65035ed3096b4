using Gateway.Sources.OpcUa.Trust;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Sources.OpcUa.Tests.Trust;

public sealed class UpstreamCertificatesTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("trust-").FullName;

    private string File => Path.Combine(_folder, UpstreamCertificates.FileName);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void IsChanged_OverARestart_TheSameAnswer()
    {
        Peer(Open()).Proven("AA");
        var peer = Peer(Open());

        Assert.Equal("AA", peer.Before);
        Assert.False(peer.IsChanged("AA", isTrustedItself: false));
        Assert.True(peer.IsChanged("BB", isTrustedItself: false));
        Assert.True(peer.IsChanged("BB", isTrustedItself: true));
    }

    /// <summary>Its file was moved to those that are trusted, by hand or by the API.</summary>
    [Fact]
    public void IsChanged_HeldAndTrustedSince_Accepted()
    {
        var certificates = Open();
        Peer(certificates).Proven("AA");
        Peer(certificates).Held("BB", isTrustedItself: false);
        var peer = Peer(Open());

        Assert.True(peer.IsChanged("BB", isTrustedItself: false));
        Assert.False(peer.IsChanged("BB", isTrustedItself: true));
        Assert.True(peer.IsChanged("CC", isTrustedItself: true));
        peer.Proven("BB");
        Assert.True(peer.IsChanged("AA", isTrustedItself: true));
    }

    /// <summary>That of another server, which lay among the trusted ones all the time: only an operator's word counts.
    /// </summary>
    [Fact]
    public void IsChanged_HeldAndTrustedBefore_AcceptedByTheOperatorOnly()
    {
        var certificates = Open();
        Peer(certificates).Proven("AA");
        Peer(certificates).Held("BB", isTrustedItself: true);
        Peer(certificates).Held("BB", isTrustedItself: false);
        Assert.True(Peer(certificates).IsChanged("BB", isTrustedItself: true));

        certificates.OnTrustedByOperator("BB");

        Assert.False(Peer(certificates).IsChanged("BB", isTrustedItself: true));
        Assert.Equal("BB", Peer(Open()).Before);
    }

    [Fact]
    public void Configure_NameThatIsGone_IsForgotten()
    {
        var certificates = Open();
        Peer(certificates).Proven("AA");

        certificates.Configure(["Lathe"]);

        Assert.False(Peer(Open()).IsChanged("BB", isTrustedItself: false));
    }

    [Fact]
    public void Open_FileThatCannotBeRead_IsAnErrorOfTheStart()
    {
        System.IO.File.WriteAllText(File, "[{}]");

        Assert.Contains(File, Assert.Throws<InvalidOperationException>(Open).Message, StringComparison.Ordinal);
    }

    private UpstreamCertificates Open() => new(File, NullLogger.Instance);

    private static KnownUpstream Peer(UpstreamCertificates certificates) => new("Press", certificates);
}
