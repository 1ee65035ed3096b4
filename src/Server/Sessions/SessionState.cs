namespace Gateway.Server.Sessions;

internal enum SessionState
{
    Created,
    Activated,
    Closed,
}
