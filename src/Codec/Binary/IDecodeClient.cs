namespace Gateway.Codec.Binary;

/// <summary>The sender of a message, asked for its holders only where the message is not small.</summary>
public interface IDecodeClient
{
    DecodeHolders DecodeHolders { get; }
}
