using System.Text;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Rest.Services;

namespace Gateway.Rest.Tests.Services;

/// <summary>Bodies that are cut, flipped and spliced, at every service: a status, never an exception (R18, R22). The
/// seed is fixed.</summary>
public sealed class ServiceFuzzTests
{
    private const int Seed = 20_013;
    private const int Rounds = 400;

    private static readonly string[] Samples =
    [
        """{"RequestHeader":{"AuthenticationToken":"g=72962b91-fa75-4ae6-8d28-b404dc7daf63","RequestHandle":1}}""",
        """{"NodesToRead":[{"NodeId":"ns=2;s=a","AttributeId":13,"IndexRange":"1:2"}],"MaxAge":1e3}""",
        """
        {"NodesToWrite":[{"NodeId":"i=1","AttributeId":13,"Value":{"UaType":11,"Value":[1,"NaN"],"Dimensions":[1,2],
          "Status":{"Code":1},"SourceTimestamp":"2026-01-31T12:00:00Z"}}]}
        """,
        """{"MethodsToCall":[{"ObjectId":"i=1","MethodId":"i=2","InputArguments":[{"UaType":6,"Value":1},{}]}]}""",
        """{"BrowsePaths":[{"StartingNode":"i=84","RelativePath":{"Elements":[{"TargetName":"2:x"}]}}]}""",
        """{"UserIdentityToken":{"UaTypeId":"i=319","PolicyId":"anonymous"},"LocaleIds":["de",null]}""",
        """
        {"SubscriptionId":1,"ItemsToCreate":[{"ItemToMonitor":{"NodeId":"i=1"},"RequestedParameters":{"Filter":
          {"UaTypeId":"i=722","Trigger":1,"DeadbandType":1,"DeadbandValue":0.5},"QueueSize":1}}]}
        """,
        """{"SubscriptionAcknowledgements":[{"SubscriptionId":1,"SequenceNumber":2}]}""",
    ];

    [Fact]
    public void Read_MutatedBodies_AStatusEachTime()
    {
        var random = new Random(Seed);
        var (read, refused) = (0, 0);
        foreach (var route in ServiceRoutes.All)
        {
            for (var i = 0; i < Rounds; i++)
            {
                var body = Encoding.UTF8.GetBytes(Samples[random.Next(Samples.Length)]);
                if (Read(route, i == 0 ? body : Mutate(body, random)))
                    read++;
                else
                    refused++;
            }
        }

        Assert.Equal(ServiceRoutes.All.Count * Rounds, read + refused);
        Assert.True(read > 0 && refused > 0);
    }

    [Fact]
    public void Write_BytesThatAreNoAnswer_NothingIsWritten()
    {
        var random = new Random(Seed);
        foreach (var route in ServiceRoutes.All)
        {
            for (var i = 0; i < Rounds; i++)
            {
                var bytes = new byte[random.Next(64)];
                random.NextBytes(bytes);
                var writer = UaJsonWriter.Rent(JsonFormat.Compact);
                Assert.Null(route.Write(bytes, writer));
                Assert.Equal(0, writer.Length);
                writer.Return();
            }
        }
    }

    /// <summary>False: refused, by one of the codec's own statuses.</summary>
    private static bool Read(ServiceRoute route, byte[] body)
    {
        using var message = new PooledBuffer();
        var reader = new UaJsonReader(body);
        var writer = new UaBinaryWriter(message);
        route.Read(ref reader, ref writer);
        if (!reader.Failed)
            return !writer.Failed;
        Assert.Contains(
            reader.Status.CodeBits, new[] { StatusCodes.BadDecodingError, StatusCodes.BadEncodingLimitsExceeded });
        Assert.NotNull(reader.Problem);
        return false;
    }

    private static byte[] Mutate(byte[] body, Random random)
    {
        switch (random.Next(4))
        {
            case 0:
                return body[..random.Next(body.Length)];
            case 1:
                body[random.Next(body.Length)] ^= (byte)(1 << random.Next(8));
                return body;
            case 2:
                body[random.Next(body.Length)] = "{}[]\",:0-9e"u8[random.Next(11)];
                return body;
            default:
                var other = Encoding.UTF8.GetBytes(Samples[random.Next(Samples.Length)]);
                return [.. body[..random.Next(body.Length)], .. other[random.Next(other.Length)..]];
        }
    }
}
