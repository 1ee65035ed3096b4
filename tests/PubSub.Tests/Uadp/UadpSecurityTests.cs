using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Reading;
using Gateway.PubSub.Uadp.Security;
using Gateway.Testing;
using static Gateway.PubSub.Tests.Uadp.UadpPlant;

namespace Gateway.PubSub.Tests.Uadp;

/// <summary>Sealed messages: the cipher against the vectors of its RFC, key roll-over, replays, and every way to send
/// less than configured.</summary>
public sealed class UadpSecurityTests
{
    private static readonly WriterDescription Description = Writer(
        1, default, UadpDataSetMessageContentMask.SequenceNumber, MetaOf(BuiltInType.Int32));

    private readonly ManualTimeProvider _time = new();
    private readonly Keys _keys = new();

    /// <summary>RFC 3686 §6, test vectors 1, 2 and 7: its counter block has the layout of Part 14.</summary>
    [Theory]
    [InlineData("AE6852F8121067CC4BF7A5765577F39E", "00000030", "0000000000000000",
        "53696E676C6520626C6F636B206D7367", "E4095D4FB7A7B3792D6175A3261311B8")]
    [InlineData("7E24067817FAE0D743D6CE1F32539163", "006CB6DB", "C0543B59DA48D90B",
        "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
        "5104A106168A72D9790D41EE8EDAD388EB2E1EFC46DA57C8FCE630DF9141BE28")]
    [InlineData("776BEFF2851DB06F4C8A0542C8696F6C6A81AF1EEC96B4D37FC1D689E6C1C104", "00000060", "DB5672C97AA8F0B2",
        "53696E676C6520626C6F636B206D7367", "145AD01DBF824EC7560863DC71E3E0C0")]
    public void Apply_VectorsOfRfc3686_AreMet(string key, string keyNonce, string nonce, string plain, string secret)
    {
        var policy = key.Length == 32 ? PubSubSecurityPolicy.Aes128Ctr : PubSubSecurityPolicy.Aes256Ctr;
        using var cipher = new UadpCipher(new SecurityKey(
            policy, 1, Convert.FromHexString(new string('0', 64) + key + keyNonce)));
        var data = Convert.FromHexString(plain);

        cipher.Apply(Convert.FromHexString(nonce), data);

        Assert.Equal(secret, Convert.ToHexString(data));
    }

    [Theory]
    [InlineData(MessageSecurityMode.Sign, 1472)]
    [InlineData(MessageSecurityMode.SignAndEncrypt, 1472)]
    [InlineData(MessageSecurityMode.SignAndEncrypt, 300)]
    public void Read_Sealed_IsWhatWasWritten(MessageSecurityMode mode, int maxMessageBytes)
    {
        var text = Writer(1, default, default, MetaOf(BuiltInType.String));
        var value = new string('x', 1000);
        using var writer = SealedWriter(mode, maxMessageBytes);
        using var reader = Reader(mode);

        Message(writer, new FrameOf(text, FrameKind.KeyFrame, 1, Field(0, new(value))));
        UadpReadResult result = default;
        for (var i = 0; i < writer.PartCount; i++)
        {
            var part = writer.Part(i).ToArray();
            Assert.InRange(part.Length, 1, maxMessageBytes);
            Assert.Equal(mode == MessageSecurityMode.Sign, part.AsSpan().IndexOf("xxxxxxxx"u8) >= 0);
            result = reader.Read(part);
        }

        Assert.Equal(mode, result.Data!.SecurityMode);
        Assert.Equal(value, result.Data.DataSets[0].Fields[0].Value.Value.AsString());
    }

    [Fact]
    public void Read_LessThanConfigured_IsRefusedWhateverItIs()
    {
        using var plain = MessageWriter(UadpLayout.Dynamic.NetworkMask);
        using var signed = SealedWriter(MessageSecurityMode.Sign);
        using var reader = Reader(MessageSecurityMode.SignAndEncrypt);

        Assert.Equal(UadpReadProblem.SecurityModeTooLow, reader.Read(One(plain)).Problem);
        Assert.Equal(UadpReadProblem.SecurityModeTooLow, reader.Read(One(signed)).Problem);
        Assert.Equal(2, reader.Counters[UadpReadProblem.SecurityModeTooLow]);
    }

    [Fact]
    public void Read_EachByteChanged_IsNeverTaken()
    {
        using var writer = SealedWriter(MessageSecurityMode.SignAndEncrypt);
        var message = One(writer);
        for (var i = 0; i < message.Length; i++)
        {
            using var reader = Reader(MessageSecurityMode.SignAndEncrypt);
            var changed = message.ToArray();
            changed[i] ^= 0x10;

            var result = reader.Read(changed);

            Assert.NotEqual(UadpReadProblem.None, result.Problem);
            Assert.Equal(0, reader.Replays.Records);
        }
    }

    [Fact]
    public void Read_AReplay_IsRefusedAndOneThatWasOvertakenIsNot()
    {
        using var writer = SealedWriter(MessageSecurityMode.SignAndEncrypt);
        using var reader = Reader(MessageSecurityMode.SignAndEncrypt);
        var (first, second, third) = (One(writer), One(writer), One(writer));

        Assert.Equal(UadpReadProblem.None, reader.Read(first).Problem);
        Assert.Equal(UadpReadProblem.None, reader.Read(third).Problem);
        Assert.Equal(UadpReadProblem.None, reader.Read(second).Problem);
        Assert.All([first, second, third], message =>
            Assert.Equal(UadpReadProblem.Replayed, reader.Read(message).Problem));
    }

    [Fact]
    public void TryAccept_NumbersAroundTheRollOver_AreInOrder()
    {
        var window = new UadpReplayWindow();
        window.Open(uint.MaxValue - 1);

        Assert.True(window.TryAccept(1));
        Assert.True(window.TryAccept(uint.MaxValue));
        Assert.False(window.TryAccept(uint.MaxValue));
        Assert.False(window.TryAccept(unchecked(1u - 64)));
        Assert.False(window.TryAccept(1u << 31));
        Assert.True(window.TryAccept(1u << 29));
    }

    [Fact]
    public void Keys_RollOver_PastAndFutureOnesOpen()
    {
        var start = _time.GetUtcNow().UtcDateTime;
        _keys.Current = new SecurityKeySet(
            PubSubSecurityPolicy.Aes256Ctr, [Key(1), Key(2, start.AddHours(1)), Key(3, start.AddHours(2))]);
        using var writer = SealedWriter(MessageSecurityMode.SignAndEncrypt);
        var tokens = new List<uint>();
        var messages = new List<byte[]>();
        for (var hour = 0; hour < 3; hour++)
        {
            messages.Add(One(writer));
            UadpReceivedHead.Read(messages[^1], new UadpReaderOptions().Values, out var head);
            tokens.Add(head.TokenId);
            _time.Advance(TimeSpan.FromHours(1));
        }

        using var reader = Reader(MessageSecurityMode.SignAndEncrypt);

        Assert.Equal([1u, 2u, 3u], tokens);
        Assert.All(messages, message => Assert.Equal(UadpReadProblem.None, reader.Read(message).Problem));

        _keys.Current = new SecurityKeySet(PubSubSecurityPolicy.Aes256Ctr, [Key(3)]);
        Assert.Equal(UadpReadProblem.UnknownKey, reader.Read(messages[0]).Problem);
        Assert.Equal(1, _keys.Refreshes);
    }

    /// <summary>All keys of the file open, but recorded messages of one that the publisher no longer uses are not taken
    /// beside its new ones, however long that key was silent.</summary>
    [Fact]
    public void Read_RecordedMessagesOfAnOlderKey_AreRefusedAfterAShortWhile()
    {
        _keys.Current = new SecurityKeySet(
            PubSubSecurityPolicy.Aes256Ctr, [Key(1), Key(2, _time.GetUtcNow().UtcDateTime.AddHours(1))]);
        using var writer = SealedWriter(MessageSecurityMode.SignAndEncrypt);
        using var reader = Reader(MessageSecurityMode.SignAndEncrypt);
        byte[][] recorded = [One(writer), One(writer), One(writer)];
        Assert.Equal(UadpReadProblem.None, reader.Read(recorded[0]).Problem);
        _time.Advance(TimeSpan.FromHours(1));
        Assert.Equal(UadpReadProblem.None, reader.Read(One(writer)).Problem);

        // It was still on its way.
        Assert.Equal(UadpReadProblem.None, reader.Read(recorded[1]).Problem);
        _time.Advance(TimeSpan.FromMinutes(2));

        Assert.All(recorded, message => Assert.Equal(UadpReadProblem.Replayed, reader.Read(message).Problem));
        Assert.Equal(UadpReadProblem.None, reader.Read(One(writer)).Problem);
    }

    /// <summary>A token id may come again with another key, which counts from 1.</summary>
    [Fact]
    public void Read_SameTokenWithAnotherKey_IsNoReplay()
    {
        using var writer = SealedWriter(MessageSecurityMode.Sign);
        using var reader = Reader(MessageSecurityMode.Sign);
        Assert.Equal(UadpReadProblem.None, reader.Read(One(writer)).Problem);

        var data = new byte[PubSubSecurityPolicy.Aes256Ctr.KeyDataBytes];
        _keys.Current = new SecurityKeySet(
            PubSubSecurityPolicy.Aes256Ctr, [new SecurityKey(PubSubSecurityPolicy.Aes256Ctr, 1, data)]);
        using var other = SealedWriter(MessageSecurityMode.Sign);

        Assert.Equal(UadpReadProblem.None, reader.Read(One(other)).Problem);
    }

    [Fact]
    public void TryNext_WithinAKey_NeverRepeatsAndEnds()
    {
        var nonces = Nonces();
        var seen = new HashSet<ulong>();
        for (var i = 0; i < 10_000; i++)
            Assert.True(nonces.TryNext(Key(1), out var nonce) && seen.Add(nonce));
        Assert.Equal(1u, seen.Min(nonce => (uint)(nonce >> 32)));

        var spent = Spent();
        Assert.False(spent.TryNext(Key(2), out _));
        Assert.Contains("all messages", spent.HindranceOf(Key(2)));
    }

    [Fact]
    public void End_KeyThatHasSealedAllItMay_GivesNothing()
    {
        using var writer = SealedWriter(MessageSecurityMode.Sign, nonces: Spent());

        Assert.Empty(One(writer));
        Assert.Equal(UadpWriteProblem.NoKey, writer.Problem);
    }

    [Fact]
    public void WriteASealedMessage_Warm_AllocatesNothing()
    {
        using var writer = SealedWriter(MessageSecurityMode.SignAndEncrypt);
        var fields = new[] { Field(0, new(1)) };

        Assert.Equal(0, Allocations.OfThousand(() =>
        {
            writer.Begin(Guid.Empty, Timestamp);
            writer.TryAdd(new DataSetFrame
            {
                Writer = Description,
                Kind = FrameKind.KeyFrame,
                SequenceNumber = 1,
                Timestamp = Timestamp,
                Fields = fields,
            });
            writer.End();
        }));
    }

    private static UadpNonces Nonces() => new(new NonceRegister(), TimeProvider.System);

    private static UadpNonces Spent() => new(new NonceRegister { First = 0 }, TimeProvider.System);

    private static SecurityKey Key(uint token, DateTime validFrom = default)
    {
        var data = new byte[PubSubSecurityPolicy.Aes256Ctr.KeyDataBytes];
        new Random((int)token).NextBytes(data);
        return new SecurityKey(PubSubSecurityPolicy.Aes256Ctr, token, data, validFrom);
    }

    private static byte[] One(UadpNetworkMessageWriter writer) =>
        Message(writer, new FrameOf(Description, FrameKind.KeyFrame, 1, Field(0, new(1))));

    private UadpNetworkMessageReader Reader(MessageSecurityMode mode) =>
        new(new UadpReaderOptions { SecurityMode = mode }, new UadpDirectory(Description), _keys, _time);

    private UadpNetworkMessageWriter SealedWriter(
        MessageSecurityMode mode, int maxMessageBytes = 1472, UadpNonces? nonces = null) => new(
            Group(UadpLayout.Dynamic.NetworkMask),
            new UadpWriterOptions { PublisherId = UadpPublisherId.Of(7UL), MaxMessageBytes = maxMessageBytes },
            new UadpSealer(mode, _keys, nonces ?? Nonces(), _time));

    private sealed class Keys : ISecurityKeySource
    {
        public SecurityKeySet? Current { get; set; } = new(PubSubSecurityPolicy.Aes256Ctr, [Key(1)]);

        public int Refreshes { get; private set; }

        public void RequestRefresh() => Refreshes++;
    }
}
