#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

#include "engine/config/extender.h"

namespace berth::extenders {

// The TLS settings of an extender, as client-go takes them: without a CA and with enableHTTPS the
// server's certificate is not verified; without a CA otherwise, the system's CAs count. As in Go,
// the names of a certificate are its alternative names, not the common name of its subject. Throws
// Error for keys, certificates and names that cannot be used.
std::unique_ptr<boost::asio::ssl::context> make_tls(const config::Extender& extender,
                                                    const std::string& server_name);

// True of an IP address, which a client does not send as the name of the server that it wants.
bool is_address(const std::string& server_name);

}  // namespace berth::extenders
