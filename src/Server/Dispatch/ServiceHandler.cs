using Gateway.Codec.Types;

namespace Gateway.Server.Dispatch;

/// <summary>Good: answered, or going to be answered later; bad: the dispatcher answers with a ServiceFault.</summary>
internal delegate StatusCode ServiceHandler(ref ServiceCall call);
