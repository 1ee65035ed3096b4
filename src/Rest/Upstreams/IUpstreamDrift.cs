namespace Gateway.Rest.Upstreams;

/// <summary>Upstreams whose model is not as it was. Threads: any.</summary>
public interface IUpstreamDrift
{
    /// <summary>The present model is the known one from now on. Nothing where it is already.</summary>
    /// <param name="upstream">Its configured name.</param>
    DriftAnswer Accept(string upstream);
}
