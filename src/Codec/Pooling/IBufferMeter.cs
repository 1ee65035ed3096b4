namespace Gateway.Codec.Pooling;

/// <summary>Counts what the buffers of one answer have rented (R43). One thread at a time.</summary>
public interface IBufferMeter
{
    /// <summary>Asked before a buffer grows, and told once it has given its array back. False: there is no memory for
    /// it, nothing was counted, and the buffer stays as it is.</summary>
    /// <param name="before">The capacity that it has, in bytes.</param>
    /// <param name="after">The capacity that it will have.</param>
    bool TryChange(int before, int after);
}
