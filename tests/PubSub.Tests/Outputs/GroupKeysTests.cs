using System.Net;
using System.Net.Sockets;
using Gateway.Codec.Structures;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Tests.Uadp;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Reading;
using Gateway.PubSub.Uadp.Security;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;
using static Gateway.PubSub.Tests.Uadp.UadpPlant;

namespace Gateway.PubSub.Tests.Outputs;

/// <summary>From the options of a group and a file of keys to a sealed datagram.</summary>
public sealed class GroupKeysTests : IDisposable
{
    private static readonly WriterDescription Description = Writer(
        1, default, UadpDataSetMessageContentMask.SequenceNumber, MetaOf(Codec.Types.BuiltInType.Int32));

    private static readonly PubSubSecurityPolicy Policy = PubSubSecurityPolicy.Aes128Ctr;

    private readonly string _folder = Directory.CreateTempSubdirectory("keys-").FullName;
    private readonly ManualTimeProvider _time = new();

    private string KeysPath => Path.Combine(_folder, "keys.json");

    private string NoncesPath => Path.Combine(_folder, "nonces.json");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("Sign", MessageSecurityMode.Sign)]
    [InlineData("SignAndEncrypt", MessageSecurityMode.SignAndEncrypt)]
    public async Task Datagram_OfAGroupWithKeys_OpensWithTheKeyAlone(string mode, MessageSecurityMode expected)
    {
        WriteKeys(1);
        using var keys = Keys();
        var datagram = await SendAsync(keys, mode);

        using var reader = Reader(expected, 1);
        Assert.Equal(UadpReadProblem.None, reader.Read(datagram).Problem);
        using var stranger = Reader(expected, 2);
        Assert.Equal(UadpReadProblem.UnknownKey, stranger.Read(datagram).Problem);
    }

    [Fact]
    public async Task Datagrams_OfTwoStarts_HaveNoNonceTwice()
    {
        WriteKeys(1);
        var nonces = new HashSet<string>();
        for (var i = 0; i < 5; i++)
        {
            using var keys = Keys();
            Assert.True(nonces.Add(NonceOf(await SendAsync(keys, "Sign"))));
        }

        var text = await File.ReadAllTextAsync(NoncesPath);
        Assert.EndsWith($":{1 + (5 * UadpNonces.BlockSize)}}}", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task KeyFile_Replaced_TheNextMessageHasTheNewKey()
    {
        WriteKeys(1);
        using var keys = Keys();
        using var sealer = keys.SealerOf(Group("Sign"))!;
        Assert.True(sealer.TryNext(out _));
        WriteKeys(2);

        _time.Advance(TimeSpan.FromSeconds(2));

        var datagram = await SendAsync(keys, "Sign");
        using var reader = Reader(MessageSecurityMode.Sign, 2);
        Assert.Equal(UadpReadProblem.None, reader.Read(datagram).Problem);
    }

    [Fact]
    public void KeyFile_Missing_IsAnErrorOfTheStart()
    {
        using var keys = Keys();

        Assert.Throws<FileNotFoundException>(() => keys.SealerOf(Group("Sign")));
        Assert.Null(keys.SealerOf(Group("None")));
    }

    [Fact]
    public void NoncesFile_CannotBeWritten_NothingIsSealed()
    {
        WriteKeys(1);
        Directory.CreateDirectory(NoncesPath);
        using var keys = Keys();
        using var sealer = keys.SealerOf(Group("Sign"))!;

        Assert.False(sealer.TryNext(out _));
        Assert.Contains("cannot be remembered", sealer.Hindrance, StringComparison.Ordinal);
    }

    private static string NonceOf(byte[] datagram) => Convert.ToHexString(datagram.AsSpan(
        datagram.AsSpan().IndexOf((ReadOnlySpan<byte>)[1, 1, 0, 0, 0, 8]) + 6, PubSubSecurityPolicy.MessageNonceBytes));

    private static byte[] KeyBytes(uint token)
    {
        var data = new byte[Policy.KeyDataBytes];
        new Random((int)token).NextBytes(data);
        return data;
    }

    private static WriterGroupOptions Group(string mode, string path = "") =>
        new() { Name = "g", Encoding = "uadp", SecurityMode = mode, KeysPath = path };

    private WriterGroupOptions Group(string mode) => Group(mode, KeysPath);

    private GroupKeys Keys() => new(NoncesPath, _time, NullLoggerFactory.Instance);

    private void WriteKeys(uint token)
    {
        var key = Convert.ToBase64String(KeyBytes(token));
        File.WriteAllText(
            KeysPath, $$"""{"policy":"{{Policy.Name}}","keys":[{"token":{{token}},"key":"{{key}}"}]}""");
    }

    private static UadpNetworkMessageReader Reader(MessageSecurityMode mode, uint token) => new(
        new UadpReaderOptions { SecurityMode = mode }, new UadpDirectory(Description),
        new FixedKeys(new SecurityKeySet(Policy, [new SecurityKey(Policy, token, KeyBytes(token))])),
        TimeProvider.System);

    private static async Task<byte[]> SendAsync(GroupKeys keys, string mode, string path)
    {
        using var receiver = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        await using var output = new UdpOutput(
            new DatagramTarget(new("127.0.0.1", ((IPEndPoint)receiver.Client.LocalEndPoint!).Port)),
            UadpPublisherId.Of(7UL), new PubSubLimits(), keys, TimeProvider.System, NullLogger.Instance);
        output.Start();
        var group = new GroupDescription
        {
            PublisherId = "7",
            Name = "g",
            WriterGroupId = 1,
            UadpMask = UadpLayout.Dynamic.NetworkMask,
        };
        var writer = output.WriterOf(Group(mode, path), group);
        writer.Begin(Guid.Empty, DateTime.UnixEpoch);
        Assert.True(writer.TryAdd(new DataSetFrame
        {
            Writer = Description,
            Kind = FrameKind.KeepAlive,
            SequenceNumber = 1,
            Timestamp = DateTime.UnixEpoch,
        }));
        Assert.True(output.TrySend(1, [], writer.End().Span));
        return (await receiver.ReceiveAsync().WaitAsync(Patience.Limit)).Buffer;
    }

    private Task<byte[]> SendAsync(GroupKeys keys, string mode) => SendAsync(keys, mode, KeysPath);

    private sealed class FixedKeys(SecurityKeySet keys) : ISecurityKeySource
    {
        public SecurityKeySet? Current => keys;
    }
}
