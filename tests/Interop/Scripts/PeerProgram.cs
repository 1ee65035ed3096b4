namespace Gateway.Interop.Scripts;

/// <summary>Whose program a test needs.</summary>
internal enum PeerProgram
{
    NodeOpcUa,
    Prometheus,
    Haproxy,

    /// <summary>A browser without a window.</summary>
    Chromium,

    /// <summary>unshare and mount, and the right to use them.</summary>
    Mount,

    /// <summary>The validators and the client generator of <c>peers/openapi</c>.</summary>
    OpenApi,

    /// <summary>The broker and its clients.</summary>
    Mosquitto,

    /// <summary>The broker, and a disk of the test's own.</summary>
    MosquittoAndMount,

    /// <summary>helm, kubeconform and its schemas.</summary>
    Helm,

    /// <summary>systemd-analyze.</summary>
    Systemd,

    /// <summary>tools/container.mjs: node, and root for its mounts.</summary>
    Container,

    /// <summary>The tools of src/Console.</summary>
    Console,

    /// <summary>The console, and a browser to open it in.</summary>
    ConsoleInChromium,

    /// <summary>The console in a browser, and node-opcua.</summary>
    ConsoleAndNodeOpcUa,

    /// <summary>The same, and a broker.</summary>
    ConsoleOnPlant,
}
