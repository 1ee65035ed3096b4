namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>The requests of one connection, one after the other. Owner: its caller.</summary>
internal interface IRestLoad
{
    /// <summary>Valid until the next is asked for.</summary>
    ReadOnlyMemory<byte> Next();

    /// <summary>The answer to it is what it has to be. Must be cheap.</summary>
    bool Check(HttpWire answer);
}
