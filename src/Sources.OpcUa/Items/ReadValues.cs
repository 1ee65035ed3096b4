using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>Values that were read, on their way to the store.</summary>
internal static class ReadValues
{
    /// <returns>The encoded sizes.</returns>
    public static int[] ToLocal(UpstreamLink link, DataValue[] read)
    {
        using var encoded = new PooledBuffer();
        var sizes = new int[read.Length];
        for (var i = 0; i < read.Length; i++)
        {
            read[i] = link.Namespaces.ToLocal(
                read[i] with { Status = read[i].Status.WithoutOverflow(), ServerTimestamp = default });
            encoded.Reset();
            var writer = new UaBinaryWriter(encoded);
            writer.WriteVariant(read[i].Value);
            writer.Complete();
            sizes[i] = encoded.WrittenSpan.Length;
        }

        return sizes;
    }
}
