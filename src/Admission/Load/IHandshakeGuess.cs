namespace Gateway.Admission.Load;

/// <summary>How many handshakes a second this machine takes, before any was measured.</summary>
public interface IHandshakeGuess
{
    double PerSecond { get; }
}
