namespace Gateway.PubSub.KeyServices;

/// <summary>No keys from a service, for people.</summary>
internal sealed class KeyServiceException(KeyServiceProblem problem, string message, Exception? inner = null)
    : Exception(message, inner)
{
    public KeyServiceProblem Problem { get; } = problem;
}
